/** Operations of administrators on accounts, for admin-service (contract.md 5). */
@NullMarked
package rookery.auth.administration;

import org.jspecify.annotations.NullMarked;
