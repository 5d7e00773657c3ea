// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import rookery.directory.FakeRooms;
import rookery.directory.RunningDirectory;
import rookery.embedded.Database;
import rookery.embedded.TestServers;

/** The aliases of an upgraded room lead to its successor (contract.md 8.4). */
class SuccessorIT {
    private static final String OLD = "!oldoldoldoldoldold:one.example";
    private static final String NEW = "!newnewnewnewnewnew:one.example";
    private static final String OTHER = "!otherotherotherothe:one.example";

    private final Database database = TestServers.database("directory-service");
    private final FakeRooms rooms = new FakeRooms();

    @AfterEach
    void stop() {
        rooms.close();
    }

    @Test
    void allNamesOfTheOldRoomMoveAndNoOthers() {
        try (var directory = new RunningDirectory(database, rooms)) {
            made(directory, OLD, "a", "b");
            made(directory, OTHER, "c");
            rooms.upgrade(1, OLD, NEW);
            rooms.tellSuccessor(1, OLD, NEW);

            await().untilAsserted(() -> assertThat(find(directory, "a")).contains(NEW));
            assertThat(find(directory, "b")).contains(NEW);
            assertThat(find(directory, "c")).contains(OTHER);
        }
    }

    @Test
    void whatHappenedWhileNobodyFollowedIsMadeUpFor() {
        try (var directory = new RunningDirectory(database, rooms)) {
            made(directory, OLD, "a");
        }
        rooms.upgrade(1, OLD, NEW);
        rooms.tellSuccessor(1, OLD, NEW);
        try (var directory = new RunningDirectory(database, rooms);
                var _ = new RunningDirectory(database, rooms)) {
            await().untilAsserted(() -> assertThat(find(directory, "a")).contains(NEW));
        }
    }

    @Test
    void aRoomThatOnlyClaimsAPredecessorGetsNoName() {
        try (var directory = new RunningDirectory(database, rooms)) {
            made(directory, OLD, "a");
            rooms.tellSuccessor(1, OLD, NEW);
            rooms.upgrade(2, OLD, NEW);
            made(directory, OTHER, "c"); // a later entry of the log

            assertThat(find(directory, "a")).contains(OLD);
        }
    }

    /** A room with these aliases whose create event is in the log. */
    private void made(RunningDirectory directory, String room, String... names) {
        for (String name : names) {
            var reservation =
                    "{\"tenant\":1,\"alias\":\"#%s:one.example\",\"room_id\":\"%s\",\"creator\":\"@ada:one.example\"}"
                            .formatted(name, room);
            assertThat(directory
                            .internal("POST", "/aliases/reserve", reservation)
                            .status())
                    .isEqualTo(200);
        }
        rooms.tellMade(1, room);
        await().untilAsserted(() -> assertThat(find(directory, names[0])).contains(room));
    }

    private static String find(RunningDirectory directory, String name) {
        return directory
                .internal("GET", "/aliases/%%23%s:one.example?tenant=1".formatted(name), null)
                .toString();
    }
}
