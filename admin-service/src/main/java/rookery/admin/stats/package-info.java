/** The statistics of a tenant, combined from the counts of the owning services (contract.md 4). */
@NullMarked
package rookery.admin.stats;

import org.jspecify.annotations.NullMarked;
