/** How searches compare texts (contract.md 6, 13.7): the same in messages and in the directories. */
@NullMarked
package rookery.platform.search;

import org.jspecify.annotations.NullMarked;
