/** The application of sync-service. */
@NullMarked
package rookery.sync;

import org.jspecify.annotations.NullMarked;
