// SPDX-License-Identifier: Apache-2.0
package rookery.sync.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import rookery.model.filter.SyncFilter;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.TokenOwner;

class KeptFiltersTest {
    private static final TokenOwner ADA = new TokenOwner(new TenantId(1), new UserId("@ada:s"));
    private static final TokenOwner OTHER = new TokenOwner(new TenantId(2), new UserId("@ada:s"));

    private final KeptFilters kept = new KeptFilters(10_000);

    @Test
    void largeOnesTakeTheRoomOfManySmallOnes() {
        for (int i = 0; i < 20; i++) {
            kept.keep(ADA, "small" + i, SyncFilter.ALL, 100);
        }
        assertThat(kept.size()).isEqualTo(20);
        for (int i = 0; i < 100; i++) {
            kept.keep(ADA, "large" + i, SyncFilter.ALL, 4_000);
        }
        assertThat(kept.size()).isEqualTo(2);
        kept.keep(ADA, "huge", SyncFilter.ALL, 60_000);
        assertThat(kept.size()).isZero();
    }

    @Test
    void theOneThatWasNotUsedForLongestGoes() {
        kept.keep(ADA, "a", SyncFilter.ALL, 4_000);
        kept.keep(ADA, "b", SyncFilter.ALL, 4_000);
        assertThat(kept.find(ADA, "a")).isNotNull();
        kept.keep(ADA, "c", SyncFilter.ALL, 4_000);
        assertThat(kept.find(ADA, "a")).isNotNull();
        assertThat(kept.find(ADA, "b")).isNull();
    }

    @Test
    void whatIsKeptAgainIsCountedOnce() {
        for (int i = 0; i < 100; i++) {
            kept.keep(ADA, "a", SyncFilter.ALL, 4_000);
        }
        kept.keep(ADA, "b", SyncFilter.ALL, 4_000);
        assertThat(kept.size()).isEqualTo(2);
    }

    @Test
    void tenantsDoNotShareThem() {
        kept.keep(ADA, "a", SyncFilter.ALL, 100);
        assertThat(kept.find(OTHER, "a")).isNull();
    }
}
