/** The end of sessions and of permissions at several gateways, during faults. */
@NullMarked
package rookery.e2e.revocation;

import org.jspecify.annotations.NullMarked;
