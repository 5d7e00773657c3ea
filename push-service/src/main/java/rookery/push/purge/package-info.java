/** Purges of rooms. */
@NullMarked
package rookery.push.purge;

import org.jspecify.annotations.NullMarked;
