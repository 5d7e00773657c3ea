/** The connection settings of Redis. */
@NullMarked
package rookery.platform.redis;

import org.jspecify.annotations.NullMarked;
