/** The public page of metrics, merged from the metrics of all instances (contract.md 4). */
@NullMarked
package rookery.admin.metrics;

import org.jspecify.annotations.NullMarked;
