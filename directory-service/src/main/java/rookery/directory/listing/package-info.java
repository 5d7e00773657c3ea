/** The room directory: which rooms are in it, and its pages (CONTRACT.md 6). */
@NullMarked
package rookery.directory.listing;

import org.jspecify.annotations.NullMarked;
