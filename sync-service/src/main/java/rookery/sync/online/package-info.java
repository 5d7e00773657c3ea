/** Who of the users connected here is online, and what they say of themselves (contract.md 13.5). */
@NullMarked
package rookery.sync.online;

import org.jspecify.annotations.NullMarked;
