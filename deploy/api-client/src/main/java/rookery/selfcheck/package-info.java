/** {@code deploy/self-check} and {@code deploy/try}: what a Rookery does, seen from where its clients are. */
@NullMarked
package rookery.selfcheck;

import org.jspecify.annotations.NullMarked;
