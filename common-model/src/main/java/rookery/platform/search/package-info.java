/** Text comparison for searches (contract.md 6, 13.7), the same for messages and directories. */
@NullMarked
package rookery.platform.search;

import org.jspecify.annotations.NullMarked;
