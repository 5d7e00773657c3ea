// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.embedded.Deadline;
import rookery.room.RoomServer.Client;
import tools.jackson.databind.json.JsonMapper;

/** Whose devices one must look at again between two places of the log, and whose no more (contract.md 13.5). */
class DeviceListReadsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicInteger USERS = new AtomicInteger();
    private static final String PATH = "/internal/device-lists";

    @RegisterExtension
    static final RoomServer server = RoomServer.own();

    private final Client ada = newcomer("ada");
    private final Client bob = newcomer("bob");
    private final Client cyd = newcomer("cyd");

    private static Client newcomer(String name) {
        return server.as(name + USERS.incrementAndGet());
    }

    private record Lists(List<String> changed, List<String> left) {}

    @Test
    void whoSharesARoomIsToldOfAChangeAndNobodyElse() {
        room(ada, bob);
        room(cyd);
        var before = heads();
        changeKeys(bob);
        assertThat(between(ada, before, heads())).isEqualTo(changed(bob));
        assertThat(between(cyd, before, heads())).isEqualTo(nothing());
        assertThat(between(bob, before, heads()))
                .as("the user log announces changes to the user")
                .isEqualTo(nothing());
        assertThat(between(ada, heads(), heads())).isEqualTo(nothing());
    }

    @Test
    void whoComesIsToldAndIsToldOfAllWithWhomTheySharedNoRoom() {
        room(ada, bob);
        String room = room(bob);
        var before = heads();
        join(ada, room);
        join(cyd, room);
        assertThat(between(ada, before, heads())).as("bob shared a room before").isEqualTo(changed(cyd));
        assertThat(between(bob, before, heads())).isEqualTo(changed(ada, cyd));
        assertThat(between(cyd, before, heads())).isEqualTo(changed(ada, bob));
        before = heads();
        ada.put(
                "/rooms/" + room + "/state/m.room.member/" + ada.user,
                "{\"membership\":\"join\",\"displayname\":\"A\"}");
        assertThat(between(bob, before, heads()))
                .as("another name is no coming")
                .isEqualTo(nothing());
    }

    @Test
    void onlyWhoSharesNoRoomAnyMoreHasLeft() {
        String first = room(ada, bob, cyd);
        String second = room(ada, bob);
        var before = heads();
        bob.post("/rooms/" + first + "/leave", "{}");
        assertThat(between(ada, before, heads())).isEqualTo(nothing());
        assertThat(between(cyd, before, heads())).isEqualTo(left(bob));
        assertThat(between(bob, before, heads())).isEqualTo(left(cyd));
        before = heads();
        bob.post("/rooms/" + second + "/leave", "{}");
        var after = heads();
        assertThat(between(ada, before, after)).isEqualTo(left(bob));
        assertThat(between(bob, before, after)).isEqualTo(left(ada));
        join(bob, second);
        assertThat(between(ada, before, after)).as("as it was").isEqualTo(left(bob));
        assertThat(between(ada, before, heads()))
                .as("keys may have changed meanwhile")
                .isEqualTo(changed(bob));
    }

    @Test
    void whoCameAfterOneHadLeftIsNotNamed() {
        String room = room(ada, bob);
        var before = heads();
        bob.post("/rooms/" + room + "/leave", "{}");
        join(cyd, room);
        assertThat(between(bob, before, heads())).isEqualTo(left(ada));
    }

    @Test
    void whoWasOnlyInvitedIsNobodyYet() {
        String room = room(ada, bob);
        var before = heads();
        ada.post("/rooms/" + room + "/invite", "{\"user_id\":\"" + cyd.user + "\"}");
        assertThat(between(cyd, before, heads())).isEqualTo(nothing());
        assertThat(between(ada, before, heads())).isEqualTo(nothing());
        cyd.post("/rooms/" + room + "/leave", "{}");
        assertThat(between(ada, before, heads())).isEqualTo(nothing());
    }

    @Test
    void aTokenFromTheBeginningNamesAllWhoShareARoom() {
        room(ada, bob, cyd);
        assertThat(between(ada, "[" + "0,".repeat(63) + "0]", heads())).isEqualTo(changed(bob, cyd));
    }

    @Test
    void aLargeAnswerComesInLinesAndHasAnEnd() {
        var members = IntStream.range(0, 30).mapToObj(_ -> newcomer("member")).toArray(Client[]::new);
        String room = room(bob, members);
        var before = heads();
        join(ada, room);
        assertThat(between(ada, before, heads()).changed).hasSize(31);
    }

    @Test
    void nobodySharesARoomThatWasPurged() {
        String room = room(ada, bob);
        room(bob);
        var answer = server.internal(
                "POST",
                "/internal/admin/rooms/purge",
                "{\"tenant\":1,\"room\":\"%s\",\"by\":\"@admin:example.org\"}".formatted(room));
        assertThat(answer.status()).isEqualTo(200);
        var before = heads();
        changeKeys(bob);
        assertThat(between(ada, before, heads())).isEqualTo(nothing());
    }

    private static String room(Client creator, Client... others) {
        String room = creator.createRoom("{\"preset\":\"public_chat\"}");
        for (var other : others) {
            join(other, room);
        }
        return room;
    }

    private static void join(Client user, String room) {
        assertThat(user.post("/join/" + room, "{}").status()).isEqualTo(200);
    }

    /** Returns when the change is announced. */
    private static void changeKeys(Client user) {
        long before = count("room.log WHERE kind = 'device_list' AND subject = :id", user.user);
        server.users.changeKeys(user.user, user.user);
        assertThat(Deadline.in(PATIENCE)
                        .until(() -> count("room.log WHERE kind = 'device_list' AND subject = :id", user.user) > before
                                && count("room.device_list_change WHERE user_id = :id", user.user) == 0))
                .isTrue();
    }

    private static long count(String what, String id) {
        return Objects.requireNonNull(server.bean(DatabaseClient.class)
                .sql("SELECT count(*) FROM " + what)
                .bind("id", id)
                .mapValue(Long.class)
                .one()
                .block());
    }

    private static Lists changed(Client... users) {
        return new Lists(ids(users), List.of());
    }

    private static Lists left(Client... users) {
        return new Lists(List.of(), ids(users));
    }

    private static List<String> ids(Client... users) {
        return Stream.of(users).map(user -> user.user).sorted().toList();
    }

    private static String heads() {
        return server.internal("GET", "/internal/log/heads", null)
                .json()
                .path("positions")
                .toString();
    }

    private static Lists between(Client user, String since, String upto) {
        String lines = server.raw(
                PATH, "{\"tenant\":1,\"user\":\"%s\",\"since\":%s,\"upto\":%s}".formatted(user.user, since, upto));
        var changed = new ArrayList<String>();
        var left = new ArrayList<String>();
        int end = -1;
        for (String line : lines.lines().toList()) {
            var read = JSON.readTree(line);
            read.path("changed").forEach(each -> changed.add(each.stringValue()));
            read.path("left").forEach(each -> left.add(each.stringValue()));
            end = read.path("end").intValue(-1);
        }
        assertThat(end).as(lines).isEqualTo(changed.size() + left.size());
        return new Lists(changed, left);
    }

    private static Lists nothing() {
        return new Lists(List.of(), List.of());
    }
}
