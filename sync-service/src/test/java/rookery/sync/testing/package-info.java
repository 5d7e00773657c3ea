/** Fixtures of this module's tests. */
@NullMarked
package rookery.sync.testing;

import org.jspecify.annotations.NullMarked;
