/** What gateways and admin-service must understand alike about rate limits. */
@NullMarked
package rookery.platform.ratelimit;

import org.jspecify.annotations.NullMarked;
