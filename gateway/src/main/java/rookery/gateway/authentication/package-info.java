/** From an access token to the user and device behind it. */
@NullMarked
package rookery.gateway.authentication;

import org.jspecify.annotations.NullMarked;
