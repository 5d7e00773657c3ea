/** What clients keep on the server for themselves. */
@NullMarked
package rookery.auth.accountdata;

import org.jspecify.annotations.NullMarked;
