/** Pushes on their way: kept until their gateways took them, or did not three times (contract.md 12.7). */
@NullMarked
package rookery.push.delivery;

import org.jspecify.annotations.NullMarked;
