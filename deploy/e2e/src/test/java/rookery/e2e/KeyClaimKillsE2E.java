// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.claims.ClaimLoad;
import rookery.e2e.running.Rookery;

/**
 * No one-time key is given out twice, whichever process is killed meanwhile (contract.md 13.5): the short form of
 * {@code deploy/e2e/claims}, over one instance.
 */
@BreaksCluster("kills processes")
class KeyClaimKillsE2E {
    private static final int CLIENTS = 20;
    private static final int OWNERS = 3;
    private static final int KEYS = 300;
    private static final String VICTIM = "auth-service-1";

    private final Rookery rookery;

    KeyClaimKillsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void eachKeyIsGivenOutOnce() throws IOException {
        try (var http = rookery.http()) {
            var people = people(http, CLIENTS + OWNERS);
            var clients = people.subList(0, CLIENTS);
            var owners = people.subList(CLIENTS, people.size());
            var claimed = ClaimLoad.hold(rookery, clients, owners, KEYS, List.of(VICTIM), _ -> {});

            assertThat(claimed.faults()).as(claimed.summary()).isEmpty();
            assertThat(claimed.usedUp())
                    .as("keys that went with an answer that was lost")
                    .isLessThanOrEqualTo(claimed.unanswered());
            assertThat(claimed.given() + claimed.usedUp()).isEqualTo(OWNERS * KEYS);
        }
    }

    /** All in one room. */
    private static List<Session> people(Http http, int number) throws IOException {
        var people = new ArrayList<Session>();
        people.add(People.newcomer(http, "claims"));
        String room = people.getFirst().createRoom(Map.of("preset", "public_chat"));
        while (people.size() < number) {
            var next = People.newcomer(http, "claims");
            next.join(room);
            people.add(next);
        }
        return people;
    }
}
