/** Devices that send messages to devices while processes are killed: is each told until it is acknowledged (contract.md 13.5). */
@NullMarked
package rookery.e2e.todevice;

import org.jspecify.annotations.NullMarked;
