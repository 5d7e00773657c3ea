/** The free space of a service's disks, and the refusals when there is too little. */
@NullMarked
package rookery.platform.disk;

import org.jspecify.annotations.NullMarked;
