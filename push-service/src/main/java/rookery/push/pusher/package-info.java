/** Pushers: what users' clients want to be told of, and where (CONTRACT.md 12.6). */
@NullMarked
package rookery.push.pusher;

import org.jspecify.annotations.NullMarked;
