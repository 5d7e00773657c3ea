/** Logging in to an account. */
@NullMarked
package rookery.auth.login;

import org.jspecify.annotations.NullMarked;
