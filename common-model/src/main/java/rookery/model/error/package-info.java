/** What a client is told when something is refused (contract.md 2.4). */
@NullMarked
package rookery.model.error;

import org.jspecify.annotations.NullMarked;
