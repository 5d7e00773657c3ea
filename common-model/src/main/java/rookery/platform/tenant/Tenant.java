// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import rookery.model.id.ServerName;
import rookery.model.id.TenantId;

/** One of the organisations that share the installation. */
public record Tenant(TenantId id, ServerName serverName) {}
