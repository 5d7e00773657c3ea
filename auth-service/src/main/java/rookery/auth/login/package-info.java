/** Login, login tokens and password changes (contract.md 3). */
@NullMarked
package rookery.auth.login;

import org.jspecify.annotations.NullMarked;
