/** Waiting requests: a small object for each, no thread. */
@NullMarked
package rookery.sync.waiting;

import org.jspecify.annotations.NullMarked;
