/** What administrators do to accounts, for admin-service (contract.md 5). */
@NullMarked
package rookery.auth.administration;

import org.jspecify.annotations.NullMarked;
