/** The description of the whole API in OpenAPI (contract.md 20), which operators can browse. */
@NullMarked
package rookery.admin.openapi;

import org.jspecify.annotations.NullMarked;
