/** The names that events use. */
@NullMarked
package rookery.model.event;

import org.jspecify.annotations.NullMarked;
