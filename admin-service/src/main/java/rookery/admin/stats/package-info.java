/** The statistics of a tenant, put together from what the owners count (contract.md 4). */
@NullMarked
package rookery.admin.stats;

import org.jspecify.annotations.NullMarked;
