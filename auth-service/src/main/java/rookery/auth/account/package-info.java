/** Accounts: user ID, password hash and state. */
@NullMarked
package rookery.auth.account;

import org.jspecify.annotations.NullMarked;
