// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import rookery.model.id.TenantId;
import rookery.platform.tenant.Setting;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;
import rookery.room.media.RoomMediaProperties.Quota;

/** The limits of uploaded bytes: what an operator has set for a tenant comes before the configuration. */
@Component
class MediaQuotas {
    private final RoomMediaProperties properties;
    private final Tenants tenants;

    MediaQuotas(RoomMediaProperties properties, Tenants tenants) {
        this.properties = properties;
        this.tenants = tenants;
    }

    Quota of(TenantId tenant) {
        var configured = properties.quota();
        return new Quota(
                size(tenant, TenantSettings.USER_MEDIA_BYTES_MAX, configured.user()),
                size(tenant, TenantSettings.MEDIA_BYTES_MAX, configured.tenant()));
    }

    private DataSize size(TenantId tenant, Setting<Long> setting, DataSize configured) {
        var most = tenants.setting(tenant, setting);
        return most == null ? configured : DataSize.ofBytes(most);
    }
}
