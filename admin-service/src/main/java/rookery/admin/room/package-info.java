/** What administrators ask and do about rooms. */
@NullMarked
package rookery.admin.room;

import org.jspecify.annotations.NullMarked;
