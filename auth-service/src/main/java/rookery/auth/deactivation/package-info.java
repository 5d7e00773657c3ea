/** Ending an account for good, by its owner or by an administrator (contract.md 3.5, 5.3). */
@NullMarked
package rookery.auth.deactivation;

import org.jspecify.annotations.NullMarked;
