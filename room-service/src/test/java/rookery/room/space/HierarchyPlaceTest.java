// SPDX-License-Identifier: Apache-2.0
package rookery.room.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.id.RoomId;

class HierarchyPlaceTest {
    private static final RoomId ROOT = new RoomId("!root:example.org");
    private static final long QUESTION = HierarchyPlace.question(ROOT, false, 5);
    private static final HierarchyPlace PLACE =
            new HierarchyPlace(1_000_000, QUESTION, 50, HierarchyPlace.hash(new RoomId("!last:example.org")));

    @Test
    void aPlaceIsReadBackForTenMinutes() {
        assertThat(HierarchyPlace.of(PLACE.bytes(), QUESTION, 1_600_000)).isEqualTo(PLACE);
        assertThatThrownBy(() -> HierarchyPlace.of(PLACE.bytes(), QUESTION, 1_600_001))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void aPlaceIsOfOneQuestion() {
        assertThat(HierarchyPlace.question(ROOT, true, 5)).isNotEqualTo(QUESTION);
        assertThat(HierarchyPlace.question(ROOT, false, 6)).isNotEqualTo(QUESTION);
        assertThat(HierarchyPlace.question(new RoomId("!other:example.org"), false, 5))
                .isNotEqualTo(QUESTION);
        assertThatThrownBy(() -> HierarchyPlace.of(PLACE.bytes(), QUESTION + 1, 1_000_000))
                .isInstanceOf(ApiException.class);
        assertThatThrownBy(() -> HierarchyPlace.of(new byte[3], QUESTION, 1_000_000))
                .isInstanceOf(ApiException.class);
    }
}
