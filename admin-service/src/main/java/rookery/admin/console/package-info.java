/** The consoles: pages for administrators of a tenant (contract.md 5.8) and for operators (20), whose acts are those of their APIs. */
@NullMarked
package rookery.admin.console;

import org.jspecify.annotations.NullMarked;
