/** What a client wants to see of its sync and its pages (CONTRACT.md 10.6); pure. */
@NullMarked
package rookery.model.filter;

import org.jspecify.annotations.NullMarked;
