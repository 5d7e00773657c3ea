/** Passwords: what is allowed, how they are hashed, and how often one may guess. */
@NullMarked
package rookery.auth.password;

import org.jspecify.annotations.NullMarked;
