/** OpenID tokens, which prove a user's identity to third parties such as widgets. */
@NullMarked
package rookery.auth.openid;

import org.jspecify.annotations.NullMarked;
