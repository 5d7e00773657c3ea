/** Reports of users, for the administrators of their tenant. */
@NullMarked
package rookery.admin.report;

import org.jspecify.annotations.NullMarked;
