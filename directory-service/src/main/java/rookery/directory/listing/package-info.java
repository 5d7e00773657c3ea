/** The room directory: publication, derivation and pages (contract.md 6). */
@NullMarked
package rookery.directory.listing;

import org.jspecify.annotations.NullMarked;
