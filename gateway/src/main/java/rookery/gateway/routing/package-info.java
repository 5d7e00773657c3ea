/** Routing: the service of a path, the choice of an instance, and the headers that are forwarded. */
@NullMarked
package rookery.gateway.routing;

import org.jspecify.annotations.NullMarked;
