/** The root package of the gateway. */
@NullMarked
package rookery.gateway;

import org.jspecify.annotations.NullMarked;
