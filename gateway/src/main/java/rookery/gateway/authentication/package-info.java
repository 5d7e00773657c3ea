/** Authentication: from an access token to the user and device. */
@NullMarked
package rookery.gateway.authentication;

import org.jspecify.annotations.NullMarked;
