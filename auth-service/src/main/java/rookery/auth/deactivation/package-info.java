/** Permanent deactivation of accounts, by their owners or by administrators (contract.md 3.5, 5.3). */
@NullMarked
package rookery.auth.deactivation;

import org.jspecify.annotations.NullMarked;
