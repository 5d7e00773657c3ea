// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.model.topic.EventMeta;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.log.text.RoomLogText;

/** The facts stored with an entry, from which push rules are judged without the room's state. */
class EntryFactsIT {
    @RegisterExtension
    static final RoomServer server = RoomServer.shared();

    private static List<EventMeta> metas(String room) {
        var bodies = server.bean(DatabaseClient.class)
                .sql("SELECT body FROM room.log_entry WHERE room_id = :room AND kind = 'event' ORDER BY pos")
                .bind("room", room)
                .mapValue(String.class)
                .all()
                .collectList()
                .block();
        return Objects.requireNonNull(bodies).stream()
                .map(body ->
                        ((EventAppended) Objects.requireNonNull(RoomLogText.read(RoomLogRecord.EVENT, body))).meta())
                .toList();
    }

    private static EventMeta last(String room) {
        return metas(room).getLast();
    }

    @Test
    void anEventSaysItsSendersPowerAndWhatNotifyingTakesBeforeIt() {
        var ada = server.as("ada");
        String room = ada.createRoom("{\"preset\":\"public_chat\"}");
        var bob = server.as("bob");
        assertThat(bob.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        bob.send(room, "t1", "hello");
        assertThat(last(room).power()).isNull();
        ada.send(room, "t2", "hello");
        assertThat(Objects.requireNonNull(last(room).power()).level()).isEqualTo(100);

        String levels = "{\"users\":{\"@ada:example.org\":100,\"@bob:example.org\":7},\"notifications\":{\"room\":20}}";
        assertThat(ada.put("/rooms/" + room + "/state/m.room.power_levels/", levels)
                        .status())
                .isEqualTo(200);
        var asSet = Objects.requireNonNull(last(room).power());
        assertThat(asSet.notifications()).isNull();
        bob.send(room, "t3", "hello");
        var power = Objects.requireNonNull(last(room).power());
        assertThat(power.level()).isEqualTo(7);
        assertThat(power.notifications()).containsExactly(entry("room", 20L));
    }

    @Test
    void aRedactionSaysWhereTheEventStandsThatItTookAway() {
        var ada = server.as("ada");
        String room = ada.createRoom("{}");
        String event = ada.send(room, "t1", "hello").text("event_id");
        ada.send(room, "t2", "hello");
        assertThat(ada.put("/rooms/" + room + "/redact/" + event + "/r1", "{}").status())
                .isEqualTo(200);
        var pos = server.bean(DatabaseClient.class)
                .sql("SELECT pos FROM room.event WHERE room_id = :room AND event_id = :event")
                .bind("room", room)
                .bind("event", event)
                .mapValue(Long.class)
                .one()
                .block();
        assertThat(Objects.requireNonNull(last(room).redacts()).pos()).isEqualTo(pos);
    }
}
