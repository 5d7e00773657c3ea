/** Messages that devices send to devices. */
@NullMarked
package rookery.auth.todevice;

import org.jspecify.annotations.NullMarked;
