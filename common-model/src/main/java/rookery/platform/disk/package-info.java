/** How much is free on the disks that a service writes to, and what is refused when it is little. */
@NullMarked
package rookery.platform.disk;

import org.jspecify.annotations.NullMarked;
