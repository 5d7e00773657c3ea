/** A client of the public API, which keeps a record of what it asked and was answered. */
@NullMarked
package rookery.e2e.api;

import org.jspecify.annotations.NullMarked;
