// SPDX-License-Identifier: Apache-2.0
/** Following admin-service's registry of tenants. */
@NullMarked
package rookery.platform.registry;

import org.jspecify.annotations.NullMarked;
