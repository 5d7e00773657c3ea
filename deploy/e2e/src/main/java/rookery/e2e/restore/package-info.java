/** A Rookery that is set back to a backup while its clients remember what came after it. */
@NullMarked
package rookery.e2e.restore;

import org.jspecify.annotations.NullMarked;
