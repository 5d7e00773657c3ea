/** What the tests of this module share. */
@NullMarked
package rookery.sync.testing;

import org.jspecify.annotations.NullMarked;
