/** The public page of metrics, put together from what all instances measure (contract.md 4). */
@NullMarked
package rookery.admin.metrics;

import org.jspecify.annotations.NullMarked;
