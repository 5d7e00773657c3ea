/** The filters of sync and of pages (contract.md 10.6), without I/O. */
@NullMarked
package rookery.model.filter;

import org.jspecify.annotations.NullMarked;
