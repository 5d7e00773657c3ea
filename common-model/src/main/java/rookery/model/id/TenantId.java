// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** A tenant's number inside the installation. Clients see the {@link ServerName} instead. */
public record TenantId(@JsonValue int value) {}
