/** What this service contributes to the statistics of a tenant. */
@NullMarked
package rookery.push.stats;

import org.jspecify.annotations.NullMarked;
