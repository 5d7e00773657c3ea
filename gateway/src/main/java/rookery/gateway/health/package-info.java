/** What the gateway answers by itself: whether it and the services can work, and which versions it speaks. */
@NullMarked
package rookery.gateway.health;

import org.jspecify.annotations.NullMarked;
