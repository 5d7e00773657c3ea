/** Saved filters, and the filter of a sync (contract.md 10.6). */
@NullMarked
package rookery.sync.filter;

import org.jspecify.annotations.NullMarked;
