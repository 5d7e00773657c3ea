// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import rookery.model.event.Membership;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import rookery.platform.log.append.BatchJudge.ShardDrafts;
import rookery.platform.log.append.Head;
import rookery.room.RoomDatabase;
import rookery.room.draft.EventText;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.inbox.ProfileCopies;
import rookery.room.roomlog.Rooms.RoomHead;
import rookery.room.table.Annotations;
import rookery.room.table.BanCopies;
import rookery.room.table.DelayedEvents;
import rookery.room.table.Upgrades;
import rookery.room.transaction.Transactions;
import tools.jackson.databind.node.JsonNodeFactory;

/** A batch reads rooms from the database that no longer have a place in memory. */
class DroppedRoomsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final UserId ADA = new UserId("@ada:s");
    private static final int ROOMS = 20;
    /** Members in the row in the database, and in the row in memory. */
    private static final int STORED = 5;

    private static final int REMEMBERED = 3;

    private final DatabaseClient db = RoomDatabase.fresh();
    private final Rooms rooms = new Rooms(db);
    private final BatchReader reader = reader(new CachedRooms(4 << 20));

    private BatchReader reader(CachedRooms cache) {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(DatabaseClient.class, () -> db);
        context.registerBean(
                TransactionalOperator.class,
                () -> TransactionalOperator.create(new R2dbcTransactionManager(db.getConnectionFactory())));
        context.registerBean(Clock.class, Clock::systemUTC);
        context.registerBean(CachedRooms.class, () -> cache);
        context.register(Rooms.class, States.class, Events.class, Annotations.class, Transactions.class);
        context.register(ProfileCopies.class, Receipts.class, Upgrades.class, BanCopies.class, DelayedEvents.class);
        context.register(BatchReader.class);
        context.refresh();
        return context.getBean(BatchReader.class);
    }

    private static TenantRoom room(int number) {
        return new TenantRoom(new TenantId(1), new RoomId("!room" + number + ":s"));
    }

    private static RoomHead head(TenantRoom room, int joined) {
        return new RoomHead(room, ADA, 7, joined, 0, false, 0, false);
    }

    private static ShardDrafts<RoomDraft> message(TenantRoom room) {
        var content = JsonNodeFactory.instance.objectNode();
        var text = EventText.of(room, "m.room.message", null, content);
        return new ShardDrafts<>(
                new Head(room.shard(), 1, 7),
                List.of(new OfEvent(room, ADA, new EventId("$new"), "m.room.message", null, content, text, null)));
    }

    /** Ends a batch with a room of large power levels, whose row in the database is another one. */
    private void remember(TenantRoom room) {
        var members = new ConcurrentHashMap<>(Map.of(ADA, Membership.JOIN));
        var large = new CachedRoom(7, CachedRoomsTest.largeLevels(), members);
        rooms.create(new RoomWork(head(room, STORED), large), 1).block(PATIENCE);
        var facts = read(room);
        facts.rooms().put(room, new RoomWork(head(room, REMEMBERED), large));
        reader.remember(facts, List.of(new Head(room.shard(), 1, 7)));
    }

    private BatchFacts read(TenantRoom room) {
        return reader.read(List.of(message(room))).blockOptional(PATIENCE).orElseThrow();
    }

    private @Nullable BatchFacts remembered(TenantRoom room) {
        return reader.remembered(List.of(message(room)));
    }

    @Test
    void droppedRoomsAreReadFromTheDatabase() {
        IntStream.range(0, ROOMS).forEach(number -> remember(room(number)));

        var dropped = new ArrayList<TenantRoom>();
        for (int number = 0; number < ROOMS; number++) {
            var room = room(number);
            boolean isDropped = remembered(room) == null;
            if (isDropped) {
                dropped.add(room);
            }
            assertThat(read(room).existing(room).joined()).isEqualTo(isDropped ? STORED : REMEMBERED);
        }
        assertThat(dropped).isNotEmpty().hasSizeLessThan(ROOMS);
    }
}
