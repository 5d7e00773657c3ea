/** The rules for sending and seeing events; pure, so that every rule has a short test (contract.md 9.4, 9.5, 9.8). */
@NullMarked
package rookery.room.authorization;

import org.jspecify.annotations.NullMarked;
