/** A client of the public API that keeps a record of its last requests and responses. */
@NullMarked
package rookery.e2e.api;

import org.jspecify.annotations.NullMarked;
