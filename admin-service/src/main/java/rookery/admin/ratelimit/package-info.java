/** The rate limits that administrators set and gateways read (contract.md 5.2, 5.3). */
@NullMarked
package rookery.admin.ratelimit;

import org.jspecify.annotations.NullMarked;
