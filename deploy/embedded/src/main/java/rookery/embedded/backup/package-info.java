/** Backup of all services' schemas into one file, and restore into an empty database. */
@NullMarked
package rookery.embedded.backup;

import org.jspecify.annotations.NullMarked;
