/** Forgets rooms that an administrator purged. */
@NullMarked
package rookery.auth.purge;

import org.jspecify.annotations.NullMarked;
