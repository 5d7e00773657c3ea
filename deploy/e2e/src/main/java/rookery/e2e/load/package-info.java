/** Clients that send messages and record received events, while processes may be killed. */
@NullMarked
package rookery.e2e.load;

import org.jspecify.annotations.NullMarked;
