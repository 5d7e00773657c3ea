/** The user log, from which other services follow changes of users and their devices (design.md 2). */
@NullMarked
package rookery.auth.userlog;

import org.jspecify.annotations.NullMarked;
