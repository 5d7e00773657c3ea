/** Room aliases: permissions, resolution, and reservations for rooms that are about to be created (contract.md 6). */
@NullMarked
package rookery.directory.alias;

import org.jspecify.annotations.NullMarked;
