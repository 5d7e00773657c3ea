/** Requests that wait until there is something to say; a small object each, no thread. */
@NullMarked
package rookery.sync.waiting;

import org.jspecify.annotations.NullMarked;
