/** {@code deploy/self-check} and {@code deploy/try}: checks of a running server through its public API. */
@NullMarked
package rookery.selfcheck;

import org.jspecify.annotations.NullMarked;
