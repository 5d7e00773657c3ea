/** Rate limits, for gateway and admin-service alike. */
@NullMarked
package rookery.platform.ratelimit;

import org.jspecify.annotations.NullMarked;
