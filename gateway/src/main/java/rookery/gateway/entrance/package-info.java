/** The first and last thing every request of the public port meets: ids, CORS, limits, who is asking. */
@NullMarked
package rookery.gateway.entrance;

import org.jspecify.annotations.NullMarked;
