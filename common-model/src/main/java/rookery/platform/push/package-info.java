/** Evaluates push rules (contract.md 12.2 to 12.5): no I/O, no time, and the same verdict in every service. */
@NullMarked
package rookery.platform.push;

import org.jspecify.annotations.NullMarked;
