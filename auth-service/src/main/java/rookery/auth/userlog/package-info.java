/** The user log: everything that one user's devices can sync of their own. */
@NullMarked
package rookery.auth.userlog;

import org.jspecify.annotations.NullMarked;
