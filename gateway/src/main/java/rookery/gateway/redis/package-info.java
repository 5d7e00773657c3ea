/** The connection to Redis, which is optional and never delays a request for long. */
@NullMarked
package rookery.gateway.redis;

import org.jspecify.annotations.NullMarked;
