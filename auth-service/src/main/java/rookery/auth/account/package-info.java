/** Accounts: who exists, under which name, and in which state. */
@NullMarked
package rookery.auth.account;

import org.jspecify.annotations.NullMarked;
