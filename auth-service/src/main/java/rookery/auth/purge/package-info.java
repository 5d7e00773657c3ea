/** Deletion of data of rooms that an administrator has purged. */
@NullMarked
package rookery.auth.purge;

import org.jspecify.annotations.NullMarked;
