/** The caller of a request, as the gateway has authenticated it. */
@NullMarked
package rookery.model.caller;

import org.jspecify.annotations.NullMarked;
