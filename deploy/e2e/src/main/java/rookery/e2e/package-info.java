/** Rookery as its users meet it, started, used, killed and checked as a whole. */
@NullMarked
package rookery.e2e;

import org.jspecify.annotations.NullMarked;
