/** Rookery and its servers in containers, for tests. */
@NullMarked
package rookery.containers;

import org.jspecify.annotations.NullMarked;
