// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.running.Rookery;

/** The console over connections between processes: cookies and the host pass each gateway (contract.md 5.8). */
@OnCluster
class ConsoleClusterE2E {
    private final Rookery rookery;

    ConsoleClusterE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void aSessionIsGoodAtEveryGateway() throws Exception {
        try (var http = rookery.http();
                var first = ConsoleClient.at(rookery, 1);
                var second = ConsoleClient.at(rookery, 2)) {
            var root = Steps.administrator(rookery, http);
            assertThat(first.signIn(root.userId()).status()).isEqualTo(303);
            second.cookie(first.cookie());
            assertThat(second.get("/users").status()).isEqualTo(200);

            var terms = Map.of("uses", "1", "days", "7");
            assertThat(second.act("/tokens", "/tokens", terms).status()).isEqualTo(200);
            var token = Map.of("form_token", second.formToken("/tokens"), "uses", "1", "days", "7");
            assertThat(second.post("/tokens", token, Map.of("Origin", "https://evil.example"))
                            .status())
                    .isEqualTo(403);
            assertThat(second.act("/overview", "/sign-out", Map.of()).status()).isEqualTo(303);
            assertThat(first.get("/users").status()).isEqualTo(303);
        }
    }
}
