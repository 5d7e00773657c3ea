/** The common frame of the end-to-end programs. */
@NullMarked
package rookery.e2e.trial;

import org.jspecify.annotations.NullMarked;
