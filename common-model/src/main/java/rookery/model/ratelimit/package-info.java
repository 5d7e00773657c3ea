/** Rate limits as services tell each other of them. */
@NullMarked
package rookery.model.ratelimit;

import org.jspecify.annotations.NullMarked;
