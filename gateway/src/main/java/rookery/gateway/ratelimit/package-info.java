/** How many requests an address may send in a window, and what its address is. */
@NullMarked
package rookery.gateway.ratelimit;

import org.jspecify.annotations.NullMarked;
