/** What every service measures in the same way. */
@NullMarked
package rookery.platform.metrics;

import org.jspecify.annotations.NullMarked;
