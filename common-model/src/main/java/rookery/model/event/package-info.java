/** The words that events are made of. */
@NullMarked
package rookery.model.event;

import org.jspecify.annotations.NullMarked;
