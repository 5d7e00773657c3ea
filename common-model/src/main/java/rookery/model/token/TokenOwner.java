// SPDX-License-Identifier: Apache-2.0
package rookery.model.token;

import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** The owner of a token; the token is invalid for any other user. */
public record TokenOwner(TenantId tenant, UserId user) {}
