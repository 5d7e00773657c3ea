/** Devices: each is one login of a user. */
@NullMarked
package rookery.auth.device;

import org.jspecify.annotations.NullMarked;
