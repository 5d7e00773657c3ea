/** What administrators see of rooms and do in them, on the server's authority (contract.md 5). */
@NullMarked
package rookery.room.administration;

import org.jspecify.annotations.NullMarked;
