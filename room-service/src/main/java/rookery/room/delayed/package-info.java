/** Events that the server sends later, and requests that restart, send or cancel them (contract.md 8.5). */
@NullMarked
package rookery.room.delayed;

import org.jspecify.annotations.NullMarked;
