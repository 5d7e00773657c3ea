/** Tokens by which users prove to others, such as widgets, who they are. */
@NullMarked
package rookery.auth.openid;

import org.jspecify.annotations.NullMarked;
