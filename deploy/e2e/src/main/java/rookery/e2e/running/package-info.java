/** A whole Rookery as child processes, each of which can be killed. */
@NullMarked
package rookery.e2e.running;

import org.jspecify.annotations.NullMarked;
