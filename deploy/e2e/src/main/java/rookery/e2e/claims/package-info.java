/** Claims of one-time keys while processes are killed: each key must be given out once (contract.md 13.5). */
@NullMarked
package rookery.e2e.claims;

import org.jspecify.annotations.NullMarked;
