/** Long lists for administrators, passed on as they are read (CONTRACT.md 5.2). */
@NullMarked
package rookery.admin.list;

import org.jspecify.annotations.NullMarked;
