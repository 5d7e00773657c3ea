/** Many clients that claim one-time keys while processes are killed: is each given out once (contract.md 13.5). */
@NullMarked
package rookery.e2e.claims;

import org.jspecify.annotations.NullMarked;
