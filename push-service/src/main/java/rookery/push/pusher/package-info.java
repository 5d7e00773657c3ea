/** Pushers: what users' clients want to be told of, and where (contract.md 12.6). */
@NullMarked
package rookery.push.pusher;

import org.jspecify.annotations.NullMarked;
