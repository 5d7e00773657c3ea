/** To-device messages while processes are killed: each must be delivered until its acknowledgement (contract.md 13.5). */
@NullMarked
package rookery.e2e.todevice;

import org.jspecify.annotations.NullMarked;
