/** Whether a service can do its work. */
@NullMarked
package rookery.platform.health;

import org.jspecify.annotations.NullMarked;
