/** What events say of each other: edits, threads and references, bundled with the events that they relate to. */
@NullMarked
package rookery.room.relation;

import org.jspecify.annotations.NullMarked;
