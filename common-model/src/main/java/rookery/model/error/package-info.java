/** What a client is told when something is refused (CONTRACT.md 2.4). */
@NullMarked
package rookery.model.error;

import org.jspecify.annotations.NullMarked;
