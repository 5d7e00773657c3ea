// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.util.List;

/**
 * All tenants of the registry.
 *
 * @param version grows with each change of any tenant; 0 for the tenants of the configuration
 */
public record TenantList(long version, List<RegisteredTenant> tenants) {}
