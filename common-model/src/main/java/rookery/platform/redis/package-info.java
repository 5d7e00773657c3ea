/** Lua scripts in Redis, and doing without Redis. */
@NullMarked
package rookery.platform.redis;

import org.jspecify.annotations.NullMarked;
