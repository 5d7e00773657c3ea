/** Device lists in a sync answer and {@code /keys/changes}: users whose devices a client must query again (contract.md 13.5). */
@NullMarked
package rookery.sync.answer.devicelist;

import org.jspecify.annotations.NullMarked;
