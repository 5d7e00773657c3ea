/** Statistics of accounts and devices (contract.md 4). */
@NullMarked
package rookery.auth.stats;

import org.jspecify.annotations.NullMarked;
