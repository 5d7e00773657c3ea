/** Who may do and see what in a room; pure, so that every rule is a short test (contract.md 9.4, 9.5, 9.8). */
@NullMarked
package rookery.room.authorization;

import org.jspecify.annotations.NullMarked;
