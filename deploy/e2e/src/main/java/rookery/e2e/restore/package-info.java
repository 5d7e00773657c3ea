/** A restore drill: clients return to a restored server with tokens from after the backup. */
@NullMarked
package rookery.e2e.restore;

import org.jspecify.annotations.NullMarked;
