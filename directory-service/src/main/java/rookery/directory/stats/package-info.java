/** What this service contributes to the statistics of a tenant. */
@NullMarked
package rookery.directory.stats;

import org.jspecify.annotations.NullMarked;
