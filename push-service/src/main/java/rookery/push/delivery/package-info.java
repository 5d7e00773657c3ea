/** Deliveries: a push is attempted until its gateway has accepted the push or three attempts have failed (contract.md 12.7). */
@NullMarked
package rookery.push.delivery;

import org.jspecify.annotations.NullMarked;
