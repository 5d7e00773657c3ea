// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.RoomsStandIn;

/** The users whose keys a claimer gets, and the daily limit (contract.md 13.5). */
class KeyShareIT {
    private static final List<String> KEYS =
            IntStream.range(0, 20).mapToObj(i -> "K" + i).toList();

    private final AuthServer strict = AuthServer.sharedStrict();
    private final Phone ada = Phone.ofNewUser(strict, ALPHA);
    private final Phone bob = Phone.ofNewUser(strict, ALPHA);

    @Test
    void afterTheShareOfADayTheFallbackKeyIsGiven() throws Exception {
        ada.post("upload", Phone.oneTimeKeys(KEYS));
        ada.post("upload", "{\"fallback_keys\":{\"signed_curve25519:F\":\"f\"}}");

        var given = claimedAtOnce(bob, 12);

        assertThat(given).hasSize(12).doesNotContain("");
        assertThat(given.stream().filter(key -> !key.equals("F")))
                .as("three a day")
                .hasSize(3)
                .doesNotHaveDuplicates();
        assertThat(left()).isEqualTo(KEYS.size() - 3);
        assertThat(bob.another().claim(ada)).as("the share is the user's").isEqualTo("F");
        assertThat(Phone.ofNewUser(strict, ALPHA).claim(ada))
                .as("others have theirs")
                .startsWith("K");
    }

    @Test
    void withoutAFallbackKeyNothingIsGivenBeyondTheShare() {
        ada.post("upload", Phone.oneTimeKeys(KEYS));

        assertThat(IntStream.range(0, 4).mapToObj(_ -> bob.claim(ada)).toList()).containsExactly("K0", "K1", "K2", "");
        assertThat(left()).isEqualTo(KEYS.size() - 3);
    }

    @Test
    void countsOfDaysBeforeAreNotLookedAt() {
        ada.post("upload", Phone.oneTimeKeys(KEYS));
        IntStream.range(0, 3).forEach(_ -> bob.claim(ada));
        strict.database().execute("UPDATE auth.key_claim SET day = day - 1 WHERE user_id = '" + ada.user() + "'");

        assertThat(bob.claim(ada)).isEqualTo("K3");
    }

    @Test
    void whatCannotBeGivenIsNotCounted() {
        bob.claim(ada);
        assertThat(strict.count("SELECT count(*) FROM auth.key_claim WHERE user_id = '" + ada.user() + "'"))
                .isZero();
    }

    @Test
    void strangersAreFailuresAndLoseNoKey() {
        var eve = Phone.ofNewUser(strict, ALPHA);
        RoomsStandIn.estrange(eve.user());
        ada.post("upload", Phone.oneTimeKeys(KEYS));
        eve.post("upload", Phone.oneTimeKeys(KEYS));
        String claim = """
                {"one_time_keys":{"%s":{"%s":"signed_curve25519"},"%s":{"%s":"signed_curve25519"},
                "@nobody:alpha.example":{"D":"signed_curve25519"}}}
                """.formatted(ada.user(), ada.device(), eve.user(), eve.device());

        var answer = eve.post("claim", claim);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("one_time_keys").propertyNames())
                .as("one's own are given")
                .containsExactly(eve.user());
        var failures = answer.json().path("failures");
        assertThat(failures.propertyNames()).containsExactlyInAnyOrder(ada.user(), "@nobody:alpha.example");
        assertThat(failures.path(ada.user()).path("errcode").stringValue()).isEqualTo("M_FORBIDDEN");
        assertThat(left()).isEqualTo(KEYS.size());
    }

    @Test
    void withoutRoomServiceNothingIsGivenButOnesOwn() {
        RoomsStandIn.leaveUnanswered(bob.user());
        ada.post("upload", Phone.oneTimeKeys(KEYS));
        bob.post("upload", Phone.oneTimeKeys(KEYS));
        String claim =
                "{\"one_time_keys\":{\"%s\":{\"%s\":\"signed_curve25519\"}}}".formatted(ada.user(), ada.device());

        var refused = bob.post("claim", claim);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.raw().headers().firstValue("Retry-After")).isPresent();
        assertThat(bob.claim(bob)).isEqualTo("K0");
    }

    private List<String> claimedAtOnce(Phone client, int times) throws Exception {
        try (var threads = Executors.newFixedThreadPool(times)) {
            var claims = new ArrayList<Callable<String>>();
            for (int i = 0; i < times; i++) {
                claims.add(() -> client.claim(ada));
            }
            var given = new ArrayList<String>();
            for (var key : threads.invokeAll(claims)) {
                given.add(key.get());
            }
            return given;
        }
    }

    private int left() {
        return ada.post("upload", "{}")
                .json()
                .path("one_time_key_counts")
                .path("signed_curve25519")
                .intValue();
    }
}
