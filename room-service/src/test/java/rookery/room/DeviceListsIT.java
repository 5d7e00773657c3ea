// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.model.id.Shards;

/** Who shares rooms with a user is told when the user's devices or keys change (design.md 2, contract.md 13.5). */
class DeviceListsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    @Test
    void eachShardWithJoinedRoomsIsToldOnceForAChange() {
        var ada = server.as("ada");
        var shards = new TreeSet<Integer>();
        for (int i = 0; i < 12; i++) {
            shards.add(Shards.of(ada.createRoom("{}")));
        }
        String left = ada.createRoom("{}");
        ada.post("/rooms/" + left + "/leave", "{}");
        server.as("bob").createRoom("{\"invite\":[\"@ada:example.org\"]}");

        server.users.changeKeys(ada.user, ada.user);
        awaitAnnouncements(ada.user, shards.size());

        assertThat(announcedShards(ada.user)).containsExactlyElementsOf(shards);

        server.users.changeKeys(ada.user, ada.user);
        awaitAnnouncements(ada.user, 2 * shards.size());
    }

    @Test
    void whatOneSignsOfOthersAndWhoIsInNoRoomIsNotTold() {
        var cyd = server.as("cyd");
        cyd.createRoom("{}");
        var dan = server.as("dan");
        var eve = server.as("eve");
        eve.createRoom("{}");

        server.users.changeKeys(cyd.user, dan.user);
        server.users.changeKeys(dan.user, dan.user);
        server.users.changeKeys(eve.user, eve.user);
        awaitAnnouncements(eve.user, 1);
        assertThat(Deadline.in(PATIENCE).until(() -> open() == 0)).isTrue();

        assertThat(announcedShards(cyd.user)).isEmpty();
        assertThat(announcedShards(dan.user)).isEmpty();
    }

    @Test
    void noChangeIsLostThroughRestarts() {
        var users = new ArrayList<RoomServer.Client>();
        for (String name : List.of("fay", "gus", "ivy")) {
            var user = server.as(name);
            user.createRoom("{}");
            users.add(user);
        }
        for (int i = 0; i < 3; i++) {
            users.forEach(user -> server.users.changeKeys(user.user, user.user));
            server.restart();
        }
        users.forEach(user -> server.users.changeKeys(user.user, user.user));

        assertThat(Deadline.in(PATIENCE)
                        .until(() -> open() == 0
                                && users.stream()
                                        .noneMatch(user ->
                                                announcedShards(user.user).isEmpty())))
                .isTrue();
    }

    private static void awaitAnnouncements(String user, int times) {
        assertThat(Deadline.in(PATIENCE).until(() -> announcedShards(user).size() >= times))
                .isTrue();
        assertThat(announcedShards(user)).hasSize(times);
    }

    /** The shards with an announcement, in order. */
    private static List<Integer> announcedShards(String user) {
        return Objects.requireNonNull(server.bean(DatabaseClient.class)
                .sql("""
                SELECT shard FROM room.log WHERE kind = 'device_list' AND subject = :user AND room_id IS NULL
                 ORDER BY shard, pos
                """)
                .bind("user", user)
                .mapValue(Integer.class)
                .all()
                .collectList()
                .block());
    }

    /** Changes that are not announced yet. */
    private static long open() {
        return Objects.requireNonNull(server.bean(DatabaseClient.class)
                .sql("SELECT count(*) FROM room.device_list_change")
                .mapValue(Long.class)
                .one()
                .block());
    }
}
