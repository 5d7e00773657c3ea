/** The limits of requests, as administrators set them and gateways ask for them (contract.md 5.2, 5.3). */
@NullMarked
package rookery.admin.ratelimit;

import org.jspecify.annotations.NullMarked;
