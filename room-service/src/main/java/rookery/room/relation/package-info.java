/** Relations between events: edits, threads and references, bundled with their parents. */
@NullMarked
package rookery.room.relation;

import org.jspecify.annotations.NullMarked;
