// SPDX-License-Identifier: Apache-2.0
package rookery.model.id;

import com.fasterxml.jackson.annotation.JsonValue;

/** One login of a user, the owner of an access token and of transaction ids (contract.md 2.5). */
public record DeviceId(@JsonValue String value) {
    public DeviceId {
        Ids.requireText(value, "device id");
        if (value.isEmpty() || value.chars().anyMatch(Character::isISOControl)) {
            throw Ids.invalid("a device id is not empty and has no control characters");
        }
    }
}
