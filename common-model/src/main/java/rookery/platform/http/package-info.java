/** How every service reads requests, checks callers and answers failures. */
@NullMarked
package rookery.platform.http;

import org.jspecify.annotations.NullMarked;
