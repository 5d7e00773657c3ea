/** What the gateway measures of the requests that it answers (contract.md 4). */
@NullMarked
package rookery.gateway.metrics;

import org.jspecify.annotations.NullMarked;
