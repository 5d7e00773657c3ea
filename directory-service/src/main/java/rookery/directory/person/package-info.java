/** The user directory: who is found by whom (CONTRACT.md 6). */
@NullMarked
package rookery.directory.person;

import org.jspecify.annotations.NullMarked;
