/** The tenant of a request. */
@NullMarked
package rookery.gateway.tenant;

import org.jspecify.annotations.NullMarked;
