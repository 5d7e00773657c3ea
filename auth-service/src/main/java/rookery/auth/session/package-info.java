/** Access tokens: made, resolved for the gateway, and revoked for good. */
@NullMarked
package rookery.auth.session;

import org.jspecify.annotations.NullMarked;
