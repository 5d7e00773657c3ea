/** How users are, as this node has heard (contract.md 13.5). */
@NullMarked
package rookery.sync.presence;

import org.jspecify.annotations.NullMarked;
