/** The console: pages for the administrators of a tenant (contract.md 5.8). Every act is that of the administration API. */
@NullMarked
package rookery.admin.console;

import org.jspecify.annotations.NullMarked;
