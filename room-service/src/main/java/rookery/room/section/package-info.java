/** The rooms of sync responses, built from the tables (contract.md 10.4). */
@NullMarked
package rookery.room.section;

import org.jspecify.annotations.NullMarked;
