/** Sessions: access and refresh tokens, resolution for the gateway, and revocation. */
@NullMarked
package rookery.auth.session;

import org.jspecify.annotations.NullMarked;
