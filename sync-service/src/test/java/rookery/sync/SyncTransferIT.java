// SPDX-License-Identifier: Apache-2.0
package rookery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.sync.testing.Answer;
import rookery.sync.testing.SharesWorld;
import rookery.sync.testing.World;

/** The steps of an import in a service that stores no position of a log (contract.md 21). */
@SharesWorld
class SyncTransferIT {
    @RegisterExtension
    static final World world = World.shared();

    @Test
    void serviceWithoutStoredPositionsRefusesToSayHowFarItFollowed() {
        for (String log : List.of("room-log", "room")) {
            var answer = followed("{\"log\":\"" + log + "\",\"ends\":{\"ends\":[0]}}");
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("M_INVALID_PARAM");
        }
    }

    @Test
    void requestWithoutEndsIsMalformed() {
        for (String body :
                List.of("{\"log\":\"room\"}", "{\"ends\":{\"ends\":[0]}}", "{\"log\":\"room\",\"ends\":{}}")) {
            var answer = followed(body);
            assertThat(answer.status()).as("%s", answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("M_BAD_JSON");
        }
    }

    private static Answer followed(String body) {
        return world.node().internal("/internal/tenants/import/followed", body);
    }
}
