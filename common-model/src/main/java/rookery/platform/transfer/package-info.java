/** Export of a tenant's rows from one service, and import into the same service of another installation (contract.md 21). */
@NullMarked
package rookery.platform.transfer;

import org.jspecify.annotations.NullMarked;
