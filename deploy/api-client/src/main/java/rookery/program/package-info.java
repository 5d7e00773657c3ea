/** Command lines and exit values of the programs that scripts under deploy/ start. */
@NullMarked
package rookery.program;

import org.jspecify.annotations.NullMarked;
