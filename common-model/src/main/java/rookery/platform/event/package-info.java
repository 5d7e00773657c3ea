/** Events as clients get them, the same from every service. */
@NullMarked
package rookery.platform.event;

import org.jspecify.annotations.NullMarked;
