// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/**
 * The key of an account data row.
 *
 * @param room null for global data
 */
record DataKey(
        TenantId tenant, UserId user, String type, @Nullable RoomId room) {
    private static final int TYPE_BYTES_MAX = 255;

    DataKey {
        WholeText.of(type, "the type");
        if (type.isEmpty()
                || type.indexOf('\0') >= 0
                || type.getBytes(StandardCharsets.UTF_8).length > TYPE_BYTES_MAX) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM, "a type has 1 to " + TYPE_BYTES_MAX + " bytes and no U+0000");
        }
    }
}
