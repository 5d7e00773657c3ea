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
 * @param passwordShown whether its client has just shown the account's password
 */
public record SessionRequest(TenantId tenant, UserId user, DeviceRequest wish, boolean passwordShown) {

    /**
     * What a login or a registration says of the session it wants (contract.md 3.2, 3.3).
     *
     * @param device the client's choice, or null: a new one is made
     * @param name of a new device; one that is there keeps its own
     * @param refreshable whether the access token shall run out and be refreshed (contract.md 1, D3)
     */
    public record DeviceRequest(
            @Nullable DeviceId device, @Nullable DeviceName name, boolean refreshable) {
        /** M_BAD_JSON or M_INVALID_PARAM for what is no device id or no name; a name that is too long is cut. */
        public static DeviceRequest of(JsonBody body) {
            String device = body.optionalString("device_id");
            String name = body.optionalString("initial_device_display_name");
            return new DeviceRequest(
                    device == null ? null : new DeviceId(device),
                    name == null ? null : DeviceName.cut(name),
                    body.boolOr("refresh_token", false));
        }

        /** The same with a name of what the client says of itself, if it gave none. */
        public DeviceRequest orNamed(@Nullable String userAgent) {
            return name == null ? new DeviceRequest(device, DeviceName.ofUserAgent(userAgent), refreshable) : this;
        }

        /** The same for one device. */
        public DeviceRequest of(DeviceId other) {
            return new DeviceRequest(other, name, refreshable);
        }
    }
}
