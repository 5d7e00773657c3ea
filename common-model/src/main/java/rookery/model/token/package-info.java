/** The sealed tokens that clients carry between requests: sync tokens and page tokens. */
@NullMarked
package rookery.model.token;

import org.jspecify.annotations.NullMarked;
