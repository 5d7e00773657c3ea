/** What administrators ask and do about users. */
@NullMarked
package rookery.admin.user;

import org.jspecify.annotations.NullMarked;
