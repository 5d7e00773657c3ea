// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/** Defaults of the settings: contract.md 13.4. */
class RoomMediaPropertiesTest {
    private static final String PREFIX = "rookery.room.media";
    private static final long DEFAULT = DataSize.ofGigabytes(5).toBytes();

    private static RoomMediaProperties bound(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate(PREFIX, RoomMediaProperties.class);
    }

    @Test
    void eachUserHasAQuotaUnlessItIsSetToNone() {
        var unset = bound(Map.of()).quota();
        assertThat(unset.userBytes()).isEqualTo(DEFAULT);
        assertThat(unset.tenantBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(bound(Map.of(PREFIX + ".quota.user", "0")).quota().userBytes())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void filesNeedATokenUnlessSwitchedOff() {
        assertThat(bound(Map.of()).servesWithoutToken()).isFalse();
        assertThat(bound(Map.of(PREFIX + ".serves-without-token", "true")).servesWithoutToken())
                .isTrue();
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
