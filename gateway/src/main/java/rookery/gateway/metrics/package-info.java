/** What the gateway measures of the requests that it answers (CONTRACT.md 4). */
@NullMarked
package rookery.gateway.metrics;

import org.jspecify.annotations.NullMarked;
