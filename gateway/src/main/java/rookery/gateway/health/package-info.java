/** Endpoints of the gateway itself: health, versions and the front page. */
@NullMarked
package rookery.gateway.health;

import org.jspecify.annotations.NullMarked;
