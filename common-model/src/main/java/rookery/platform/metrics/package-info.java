/** Metrics that all services have in common. */
@NullMarked
package rookery.platform.metrics;

import org.jspecify.annotations.NullMarked;
