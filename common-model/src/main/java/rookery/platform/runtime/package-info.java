/** Time, randomness and event loops, the same in every service. */
@NullMarked
package rookery.platform.runtime;

import org.jspecify.annotations.NullMarked;
