/** Device lists in sync answers and {@code /keys/changes} (contract.md 13.5). */
@NullMarked
package rookery.sync.answer.devicelist;

import org.jspecify.annotations.NullMarked;
