/** Leases under which gateways keep sessions in memory, and notices to these gateways. */
@NullMarked
package rookery.auth.lease;

import org.jspecify.annotations.NullMarked;
