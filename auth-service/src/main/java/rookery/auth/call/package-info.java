/** The servers that calls need besides the rooms: TURN servers and transports, as the operator configured them. */
@NullMarked
package rookery.auth.call;

import org.jspecify.annotations.NullMarked;
