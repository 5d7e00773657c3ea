/** Sync nodes that are broken on purpose, so that the checkers can be shown to notice; the product knows nothing of it. */
@NullMarked
package rookery.e2e.fault;

import org.jspecify.annotations.NullMarked;
