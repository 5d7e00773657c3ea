// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import org.jspecify.annotations.Nullable;
import rookery.auth.device.DeviceName;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;

/**
 * A session to open.
 *
 * @param passwordShown whether the client has just authenticated with the account's password
 */
public record SessionRequest(TenantId tenant, UserId user, DeviceRequest deviceRequest, boolean passwordShown) {

    /**
     * The device parameters of a login or a registration (contract.md 3.2, 3.3).
     *
     * @param device the client's choice, or null for a new device
     * @param name the display name of a new device; an existing device keeps its name
     * @param refreshable whether the access token expires and has a refresh token (contract.md 1, D3)
     */
    public record DeviceRequest(
            @Nullable DeviceId device, @Nullable DeviceName name, boolean refreshable) {
        /** M_BAD_JSON or M_INVALID_PARAM for an invalid device ID or name; a name that is too long is truncated. */
        public static DeviceRequest of(JsonBody body) {
            String device = body.optionalString("device_id");
            String name = body.optionalString("initial_device_display_name");
            return new DeviceRequest(
                    device == null ? null : new DeviceId(device),
                    name == null ? null : DeviceName.cut(name),
                    body.boolOr("refresh_token", false));
        }

        /** A copy with a name derived from the User-Agent, if the client sent no name. */
        public DeviceRequest orNamed(@Nullable String userAgent) {
            return name == null ? new DeviceRequest(device, DeviceName.ofUserAgent(userAgent), refreshable) : this;
        }

        /** A copy for the given device. */
        public DeviceRequest of(DeviceId other) {
            return new DeviceRequest(other, name, refreshable);
        }
    }
}
