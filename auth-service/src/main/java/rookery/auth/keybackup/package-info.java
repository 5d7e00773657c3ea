/** Server-side backups of encrypted room keys (contract.md 13.5). */
@NullMarked
package rookery.auth.keybackup;

import org.jspecify.annotations.NullMarked;
