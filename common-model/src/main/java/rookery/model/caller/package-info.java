/** Who is asking, as the gateway vouches for it. */
@NullMarked
package rookery.model.caller;

import org.jspecify.annotations.NullMarked;
