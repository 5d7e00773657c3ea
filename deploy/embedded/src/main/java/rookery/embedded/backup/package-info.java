/** Backups of the schemas of all services: one file, one moment; and how a database is made of one. */
@NullMarked
package rookery.embedded.backup;

import org.jspecify.annotations.NullMarked;
