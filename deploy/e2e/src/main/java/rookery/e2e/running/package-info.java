/** A whole Rookery as child processes that tests can kill. */
@NullMarked
package rookery.e2e.running;

import org.jspecify.annotations.NullMarked;
