/** Room aliases: who may set them, where they lead, and keeping one for a room that is being made (contract.md 6). */
@NullMarked
package rookery.directory.alias;

import org.jspecify.annotations.NullMarked;
