/** Metrics of the requests of the public port (contract.md 4). */
@NullMarked
package rookery.gateway.metrics;

import org.jspecify.annotations.NullMarked;
