// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.JsonNode;

/** The two type, and see each other type (contract.md 11.2). */
abstract class TypingRoom extends TwoInARoom {
    TypingRoom(Rookery rookery) {
        super(rookery);
    }

    Answer type(Session typist, Map<String, ?> body) throws IOException {
        return typist.call("PUT", path(typist.userId()), body);
    }

    String path(String user) {
        return Paths.room(room, "/typing/" + Paths.encoded(user));
    }

    static String token(JsonNode answer) {
        return answer.path("next_batch").asString();
    }

    /** Each set of users that an answer tells of the room. */
    List<List<String>> typing(JsonNode answer) {
        var typists = new ArrayList<List<String>>();
        for (var event :
                answer.path("rooms").path("join").path(room).path("ephemeral").path("events")) {
            if (event.path("type").asString().equals("m.typing")) {
                assertThat(event.properties()).hasSize(2);
                typists.add(event.path("content")
                        .path("user_ids")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList());
            }
        }
        return typists;
    }
}
