/** Whether the answers that the end-to-end tests see are those of the OpenAPI document (contract.md 20). */
@NullMarked
package rookery.e2e.openapi;

import org.jspecify.annotations.NullMarked;
