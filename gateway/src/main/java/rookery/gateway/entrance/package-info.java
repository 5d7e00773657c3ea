/** The first stage of every request of the public port: request id, CORS, limits, authentication. */
@NullMarked
package rookery.gateway.entrance;

import org.jspecify.annotations.NullMarked;
