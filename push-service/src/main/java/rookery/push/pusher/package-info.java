/** Pushers: the push gateways and pushkeys of users' devices (contract.md 12.6). */
@NullMarked
package rookery.push.pusher;

import org.jspecify.annotations.NullMarked;
