/** Rate limits of addresses, for gateway and admin-service, and the pace of tenants, for gateway and push-service. */
@NullMarked
package rookery.platform.ratelimit;

import org.jspecify.annotations.NullMarked;
