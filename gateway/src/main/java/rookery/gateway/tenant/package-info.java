/** Which tenant a client has asked. */
@NullMarked
package rookery.gateway.tenant;

import org.jspecify.annotations.NullMarked;
