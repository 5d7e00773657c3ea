/** The record of what administrators did. */
@NullMarked
package rookery.admin.audit;

import org.jspecify.annotations.NullMarked;
