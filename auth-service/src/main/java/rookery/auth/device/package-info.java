/** Devices: one login of a user each. */
@NullMarked
package rookery.auth.device;

import org.jspecify.annotations.NullMarked;
