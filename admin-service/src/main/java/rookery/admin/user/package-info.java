/** Administration of users. */
@NullMarked
package rookery.admin.user;

import org.jspecify.annotations.NullMarked;
