/** Counts for the statistics page. */
@NullMarked
package rookery.auth.stats;

import org.jspecify.annotations.NullMarked;
