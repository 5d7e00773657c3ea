/** Administration of rooms. */
@NullMarked
package rookery.admin.room;

import org.jspecify.annotations.NullMarked;
