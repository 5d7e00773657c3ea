/** A client of sliding sync (contract.md 10.9). */
@NullMarked
package rookery.e2e.sliding;

import org.jspecify.annotations.NullMarked;
