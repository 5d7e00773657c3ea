/** The readiness of a service. */
@NullMarked
package rookery.platform.health;

import org.jspecify.annotations.NullMarked;
