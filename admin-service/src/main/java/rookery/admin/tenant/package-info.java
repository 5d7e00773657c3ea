// SPDX-License-Identifier: Apache-2.0
/** The registry of tenants, and the API of operators. */
@NullMarked
package rookery.admin.tenant;

import org.jspecify.annotations.NullMarked;
