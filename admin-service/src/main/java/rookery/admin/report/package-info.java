/** Administration of users' reports. */
@NullMarked
package rookery.admin.report;

import org.jspecify.annotations.NullMarked;
