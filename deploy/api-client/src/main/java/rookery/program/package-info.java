/** The programs that scripts under deploy/ start: their command lines, and how they end. */
@NullMarked
package rookery.program;

import org.jspecify.annotations.NullMarked;
