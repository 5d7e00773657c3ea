/** Evaluates push rules (contract.md 12.2 to 12.5), without I/O or time and with the same verdict in every service. */
@NullMarked
package rookery.platform.push;

import org.jspecify.annotations.NullMarked;
