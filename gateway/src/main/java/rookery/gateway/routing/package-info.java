/** Which service a path belongs to, which of its instances, and what of a request reaches it. */
@NullMarked
package rookery.gateway.routing;

import org.jspecify.annotations.NullMarked;
