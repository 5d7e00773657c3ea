/** Forgets rooms that an administrator purged. */
@NullMarked
package rookery.push.purge;

import org.jspecify.annotations.NullMarked;
