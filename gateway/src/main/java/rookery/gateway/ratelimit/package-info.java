/** Rate limits, and the client addresses by which requests are counted. */
@NullMarked
package rookery.gateway.ratelimit;

import org.jspecify.annotations.NullMarked;
