/** To-device messages (contract.md 13.5). */
@NullMarked
package rookery.auth.todevice;

import org.jspecify.annotations.NullMarked;
