/** The user directory: who is found by whom (contract.md 6). */
@NullMarked
package rookery.directory.person;

import org.jspecify.annotations.NullMarked;
