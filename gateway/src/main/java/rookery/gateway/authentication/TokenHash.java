// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import rookery.model.id.TenantId;

/** The hash of an access token for the tenant of the requested host, which is used everywhere outside of {@link AccessTokens}. */
public record TokenHash(TenantId tenant, String hex) {}
