/** Requests, callers, errors and responses, the same in every service. */
@NullMarked
package rookery.platform.http;

import org.jspecify.annotations.NullMarked;
