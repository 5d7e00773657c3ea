/** Long lists for administrators, streamed from the owning service (contract.md 5.2). */
@NullMarked
package rookery.admin.list;

import org.jspecify.annotations.NullMarked;
