/** Long lists for administrators, passed on as they are read (contract.md 5.2). */
@NullMarked
package rookery.admin.list;

import org.jspecify.annotations.NullMarked;
