// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;
import rookery.model.id.TenantId;

/** Defaults of the settings: contract.md 13.4. */
class RoomMediaPropertiesTest {
    private static final String PREFIX = "rookery.room.media";
    private static final long DEFAULT = DataSize.ofGigabytes(5).toBytes();

    private static RoomMediaProperties bound(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate(PREFIX, RoomMediaProperties.class);
    }

    @Test
    void eachUserHasAQuotaUnlessItIsSetToNone() {
        var unset = bound(Map.of()).quota(new TenantId(1));
        assertThat(unset.userBytes()).isEqualTo(DEFAULT);
        assertThat(unset.tenantBytes()).isEqualTo(Long.MAX_VALUE);
        var properties = bound(Map.of(
                PREFIX + ".quota.user", "0",
                PREFIX + ".tenants.2.tenant", "1TB",
                PREFIX + ".tenants.3.user", "3000"));
        assertThat(properties.quota(new TenantId(1)).userBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(properties.quota(new TenantId(2)).userBytes()).isEqualTo(DEFAULT);
        assertThat(properties.quota(new TenantId(3)).userBytes()).isEqualTo(3000);
    }

    @Test
    void tenantsMayServeFilesWithoutAToken() {
        var properties = bound(Map.of(
                PREFIX + ".serves-without-token", "true",
                PREFIX + ".quota.user", "7",
                PREFIX + ".tenants.2.serves-without-token", "false"));
        assertThat(properties.servesWithoutToken(new TenantId(1))).isTrue();
        assertThat(properties.servesWithoutToken(new TenantId(2))).isFalse();
        assertThat(properties.quota(new TenantId(2)).userBytes()).isEqualTo(7);
        assertThat(bound(Map.of(PREFIX + ".tenants.2.serves-without-token", "true"))
                        .servesWithoutToken(new TenantId(2)))
                .isTrue();
        assertThat(bound(Map.of()).servesWithoutToken(new TenantId(1))).isFalse();
    }

    @Test
    void memoryForPicturesIsEnoughForAPhoto() {
        assertThat(bound(Map.of()).thumbnail().memoryMax()).isEqualTo(DataSize.ofMegabytes(96));
        assertThatThrownBy(() -> bound(Map.of(PREFIX + ".thumbnail.memory-max", "31MB")))
                .hasRootCauseMessage(
                        "rookery.room.media.thumbnail.memory-max: set a size from 32MB, which the thumbnail of"
                                + " a photo takes, to 64GB");
    }
}
