// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import rookery.room.RoomServer.Client;

/** What an instance remembers of a room between batches is exact, whoever appends in the meantime: two instances. */
class RememberedRoomsIT {
    @RegisterExtension
    static final RoomServer first = RoomServer.own();

    private static RoomServer second;

    private final Client owner = first.as("owner");
    private final Client member = first.as("member");

    @BeforeAll
    static void start() {
        second = first.another();
    }

    @AfterAll
    static void stop() {
        second.close();
    }

    /** A room of both, in which the first instance remembers everything that a message needs. */
    private String rememberedRoom() {
        String room = owner.createRoom("{\"preset\":\"public_chat\"}");
        assertThat(member.post("/rooms/" + room + "/join", "{}").status()).isEqualTo(200);
        assertThat(member.send(room, "first", "reads").status()).isEqualTo(200);
        assertThat(member.send(room, "second", "remembers").status()).isEqualTo(200);
        return room;
    }

    private static long statements(String operation) {
        return first.bean(MeterRegistry.class)
                .get("db_query")
                .tag("op", operation)
                .timer()
                .count();
    }

    @Test
    void aMessageToARememberedRoomIsOneStatement() {
        String room = rememberedRoom();
        long inserts = statements("insert");
        long joined = statements("with");

        assertThat(member.send(room, "third", "one statement").status()).isEqualTo(200);

        assertThat(statements("with")).isEqualTo(joined + 1);
        assertThat(statements("insert")).isEqualTo(inserts);
    }

    @Test
    void aBanByAnotherInstanceRefusesTheNextMessage() {
        String room = rememberedRoom();
        var ban = second.as("owner").post("/rooms/" + room + "/ban", "{\"user_id\":\"" + member.user + "\"}");
        assertThat(ban.status()).isEqualTo(200);

        assertThat(member.send(room, "third", "too late").errcode()).isEqualTo("M_FORBIDDEN");
    }

    @Test
    void aBanByTheSameInstanceRefusesTheNextMessage() {
        String room = rememberedRoom();
        assertThat(owner.post("/rooms/" + room + "/ban", "{\"user_id\":\"" + member.user + "\"}")
                        .status())
                .isEqualTo(200);

        assertThat(member.send(room, "third", "too late").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(owner.send(room, "third", "still here").status()).isEqualTo(200);
    }

    @Test
    void powerThatAnotherInstanceRaisesHoldsForTheNextMessage() {
        String room = rememberedRoom();
        var levels = "{\"users\":{\"" + owner.user + "\":100},\"events_default\":50}";
        assertThat(second.as("owner")
                        .put("/rooms/" + room + "/state/m.room.power_levels", levels)
                        .status())
                .isEqualTo(200);

        assertThat(member.send(room, "third", "powerless").errcode()).isEqualTo("M_FORBIDDEN");
        assertThat(owner.send(room, "third", "powerful").status()).isEqualTo(200);
    }

    @Test
    void aRepeatedTransactionIdAnswersTheFirstEvent() {
        String room = rememberedRoom();
        String event = member.send(room, "third", "once").text("event_id");
        assertThat(event).startsWith("$");

        assertThat(member.send(room, "third", "once").text("event_id")).isEqualTo(event);
        assertThat(second.as("member").send(room, "third", "once").text("event_id"))
                .isEqualTo(event);
        assertThat(member.send(room, "third", "once").text("event_id")).isEqualTo(event);
        assertThat(member.send(room, "fourth", "next").text("event_id")).isNotEqualTo(event);
    }

    @Test
    void aPurgedRoomIsNotRemembered() {
        String room = rememberedRoom();
        assertThat(first.internal(
                                "POST",
                                "/internal/admin/rooms/purge",
                                "{\"tenant\":1,\"room\":\"" + room + "\",\"by\":\"" + owner.user + "\"}")
                        .status())
                .isEqualTo(200);

        assertThat(member.send(room, "third", "gone").status()).isIn(403, 404);
    }
}
