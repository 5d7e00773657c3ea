/** What a client wants to see of its sync and its pages (contract.md 10.6); pure. */
@NullMarked
package rookery.model.filter;

import org.jspecify.annotations.NullMarked;
