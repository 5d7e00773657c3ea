/** Rate limits as services exchange them. */
@NullMarked
package rookery.model.ratelimit;

import org.jspecify.annotations.NullMarked;
