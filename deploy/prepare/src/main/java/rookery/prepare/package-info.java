/** Preparation of the servers before services of this version start. */
@NullMarked
package rookery.prepare;

import org.jspecify.annotations.NullMarked;
