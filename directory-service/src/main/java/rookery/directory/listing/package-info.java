/** The room directory: which rooms are in it, and its pages (contract.md 6). */
@NullMarked
package rookery.directory.listing;

import org.jspecify.annotations.NullMarked;
