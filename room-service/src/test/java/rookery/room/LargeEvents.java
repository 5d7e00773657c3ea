// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import rookery.platform.http.PageBytes;
import rookery.room.RoomServer.Answer;
import rookery.room.RoomServer.Client;

/** Events of 60 kB each, and pages of them. */
final class LargeEvents {
    /** A page ends with the event that reaches the bytes of a page. */
    private static final int PAGE_BYTES_MAX = PageBytes.PAGE_MAX + (200 << 10);

    private static final String FILLING = "x".repeat(60_000);

    private LargeEvents() {}

    /** The content of a message with a text and a long field. */
    static String content(String text, String more) {
        return "{\"msgtype\":\"m.text\",\"body\":\"" + text + "\",\"filling\":\"" + FILLING + "\"" + more + "}";
    }

    /** Sends {@code count} messages; returns their ids, oldest first. */
    static List<String> say(Client client, String room, String text, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Talk.sent(Talk.send(client, room, "m.room.message", content(text + " " + i, ""))))
                .toList();
    }

    static void relate(Client client, String room, String relType, String parent) {
        String more = ",\"m.relates_to\":{\"rel_type\":\"%s\",\"event_id\":\"%s\"},\"m.new_content\":{\"body\":\"new\"}"
                .formatted(relType, parent);
        Talk.sent(Talk.send(client, room, "m.room.message", content("child", more)));
    }

    static int bytes(Answer answer) {
        return answer.json().toString().length();
    }

    /** The same answer, after a check of its status and of the bytes of a page. */
    static Answer page(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(bytes(answer)).isLessThan(PAGE_BYTES_MAX);
        return answer;
    }

    /**
     * Ids of the events of all pages, in order.
     *
     * @param page the page at a token; at null the first page
     * @param next the field with the token of the next page
     */
    static List<String> walked(Function<@Nullable String, Answer> page, String next) {
        var ids = new ArrayList<String>();
        String token = null;
        do {
            var answer = page(page.apply(token));
            ids.addAll(Talk.ids(answer.json().path("chunk")));
            token = answer.json().path(next).asStringOpt().orElse(null);
        } while (token != null);
        return ids;
    }
}
