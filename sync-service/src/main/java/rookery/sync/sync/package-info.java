/** The endpoint {@code /sync}: answers changes at once, or waits for changes. */
@NullMarked
package rookery.sync.sync;

import org.jspecify.annotations.NullMarked;
