/** End-to-end programs: start, use, kill and check a whole Rookery. */
@NullMarked
package rookery.e2e;

import org.jspecify.annotations.NullMarked;
