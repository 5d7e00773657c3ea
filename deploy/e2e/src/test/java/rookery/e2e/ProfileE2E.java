package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.api.SyncQuery;
import rookery.e2e.running.Rookery;

/** What people set about themselves and others, through the whole system. */
@ExtendWith(ClusterExtension.class)
class ProfileE2E {
    private static final int TRIES = 20;

    private final Rookery rookery;

    ProfileE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void othersAreToldOfANewName() throws Exception {
        try (Http http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var grace = People.newcomer(http, "grace");
            var room = People.roomOf(ada, grace);
            var since = grace.sync(SyncQuery.initial()).path("next_batch").asString();

            ada.put("/v3/profile/" + Paths.encoded(ada.userId()) + "/displayname", Map.of("displayname", "Countess"));

            var told = "";
            for (int i = 0; i < TRIES && told.isEmpty(); i++) {
                var answer = grace.sync(SyncQuery.since(since).waiting(Duration.ofSeconds(5)));
                since = answer.path("next_batch").asString();
                for (var event : Session.timeline(answer, room)) {
                    told = event.path("content").path("displayname").asString("");
                }
            }
            assertThat(told).isEqualTo("Countess");
        }
    }

    @Test
    void whoIsIgnoredIsReadNoMore() throws Exception {
        try (Http http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var grace = People.newcomer(http, "grace");
            var room = People.roomOf(ada, grace);
            ada.say(room, "noise");
            String own = "/v3/user/" + Paths.encoded(grace.userId());

            grace.put(
                    own + "/account_data/m.ignored_user_list", Map.of("ignored_users", Map.of(ada.userId(), Map.of())));

            assertThat(grace.messages(room, "b", null, null, 100).toString()).doesNotContain("noise");
            assertThat(grace.get(own + "/account_data/m.push_rules")
                            .path("global")
                            .path("override")
                            .size())
                    .isPositive();
            String tags = own + "/rooms/" + Paths.encoded(room) + "/tags";
            grace.put(tags + "/m.favourite", Map.of("order", 0.5));
            assertThat(grace.get(tags).toString()).isEqualTo("{\"tags\":{\"m.favourite\":{\"order\":0.5}}}");
        }
    }
}
