/** Passwords: rules, hashing and limits of failed checks. */
@NullMarked
package rookery.auth.password;

import org.jspecify.annotations.NullMarked;
