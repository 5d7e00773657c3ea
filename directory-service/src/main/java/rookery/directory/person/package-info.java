/** The user directory: visibility and search of accounts (contract.md 6). */
@NullMarked
package rookery.directory.person;

import org.jspecify.annotations.NullMarked;
