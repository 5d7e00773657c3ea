/** Keys of devices: uploaded, shown to whoever wants to write to them, and claimed one by one. */
@NullMarked
package rookery.auth.keys;

import org.jspecify.annotations.NullMarked;
