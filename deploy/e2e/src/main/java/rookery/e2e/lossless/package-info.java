/** The long runs: does everybody hear everything once and in one order, whatever is killed meanwhile. */
@NullMarked
package rookery.e2e.lossless;

import org.jspecify.annotations.NullMarked;
