/** Events in the form that clients get, the same from every service. */
@NullMarked
package rookery.platform.event;

import org.jspecify.annotations.NullMarked;
