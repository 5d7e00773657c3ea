/** Time, randomness and event loops, the same for every service. */
@NullMarked
package rookery.platform.runtime;

import org.jspecify.annotations.NullMarked;
