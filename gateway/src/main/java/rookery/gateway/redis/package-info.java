/** The one connection to Redis, which is never waited for long and never needed. */
@NullMarked
package rookery.gateway.redis;

import org.jspecify.annotations.NullMarked;
