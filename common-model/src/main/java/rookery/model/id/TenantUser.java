// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

/** A user of a tenant; a user id without a tenant is ambiguous. */
public record TenantUser(TenantId tenant, UserId user) {}
