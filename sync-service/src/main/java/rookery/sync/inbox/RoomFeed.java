// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.model.topic.EventMeta;
import rookery.model.topic.LogRecord;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.RoomLogRecord.RoomPurged;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogState;
import rookery.platform.log.follow.LogFollower;
import rookery.platform.log.follow.Stretch;
import rookery.platform.log.text.RoomLogText;
import rookery.sync.ring.DeviceListRing;
import rookery.sync.ring.RingEvent;
import rookery.sync.ring.RoomRing;
import rookery.sync.typing.TypingSets;
import rookery.sync.waiting.Urgency;
import rookery.sync.waiting.Wake;
import rookery.sync.waiting.Wakes;

/**
 * Follows the room log for connected users: recent events of their rooms, and their memberships.
 *
 * <p>An entry's changes are complete before the node's position passes the entry; after that, waiting requests are woken.
 */
@Component
public class RoomFeed implements LogFollower {
    private static final Logger log = LoggerFactory.getLogger(RoomFeed.class);

    private final Inboxes inboxes;
    private final TypingSets typing;
    private final Progress progress = new Progress();
    private final DeviceListRing deviceLists;
    private final Rings rings;
    private final Units units = new Units();
    private final LatestEvents latest = new LatestEvents();

    private record ReadEntry(LogRecord entry, @Nullable RoomLogRecord record) {}

    RoomFeed(Inboxes inboxes, RingProperties properties, TypingSets typing, DeviceListRing deviceLists) {
        this.inboxes = inboxes;
        this.rings = new Rings(properties);
        this.typing = typing;
        this.deviceLists = deviceLists;
    }

    Progress progress() {
        return progress;
    }

    @Override
    public Heads begin(LogState state) {
        var heads = state.heads();
        units.clear();
        Heads from;
        synchronized (this) {
            if (progress.isValidBefore(heads)) {
                return progress.now(); // memory is still valid
            }
            latest.clear();
            from = new Heads(heads.epoch(), rings.fill(heads.positions(), System.nanoTime()));
            inboxes.all().forEach(inbox -> inbox.memberships().forget());
            deviceLists.begin(from.positions()); // last: a request that sees an empty list sees no rings either
            progress.begin(from, heads);
        }
        log.atInfo().addKeyValue("epoch", heads.epoch()).log("following the room log");
        inboxes.all().forEach(inbox -> inbox.waiters().wake(Wake.NEWS));
        return from;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return switch (bare.kind()) {
            case RoomLogRecord.EVENT -> rings.wants(bare) || subject(bare) != null || isTypedIn(bare);
            // private receipts too: a ring must be complete for every reader
            case RoomLogRecord.RECEIPT -> rings.wants(bare);
            case RoomLogRecord.PURGE, RoomLogRecord.DEVICE_LIST -> true;
            default -> false;
        };
    }

    @Override
    public void apply(Stretch stretch) {
        var entries = new ArrayList<ReadEntry>();
        for (var entry : units.settled(stretch)) {
            entries.add(new ReadEntry(
                    entry, wants(entry) ? read(entry) : null)); // parse outside of the monitor, because parsing is slow
        }
        take(entries, stretch.shard(), stretch.settledTo());
    }

    private void take(List<ReadEntry> entries, int shard, long settledTo) {
        var wakes = new Wakes();
        synchronized (this) {
            for (var each : entries) {
                noteLatest(each.entry);
                if (wants(each.entry)) { // may be needed only since a moment ago
                    take(each.entry, each.record == null ? read(each.entry) : each.record, wakes);
                }
            }
            rings.keepWithinBudget(System.nanoTime());
            progress.move(shard, settledTo);
        }
        wakes.ring();
    }

    private void noteLatest(LogRecord entry) {
        if (entry.room() != null && entry.kind().equals(RoomLogRecord.EVENT)) {
            latest.add(room(entry), entry.pos());
        }
    }

    private static @Nullable RoomLogRecord read(LogRecord entry) {
        if (entry.body().isEmpty()) {
            return null; // skipped as not needed, and needed since a moment ago
        }
        try {
            return RoomLogText.read(entry.kind(), entry.body());
        } catch (RuntimeException e) {
            log.atError()
                    .addKeyValue("shard", entry.shard())
                    .addKeyValue("pos", entry.pos())
                    .setCause(e)
                    .log("an entry cannot be read");
            return null;
        }
    }

    /** @param record null for an unreadable entry */
    private void take(LogRecord entry, @Nullable RoomLogRecord record, Wakes wakes) {
        if (entry.kind().equals(RoomLogRecord.RECEIPT)) {
            takeReceipts(entry, record instanceof ReceiptsSet receipts ? receipts : null, wakes);
        } else if (entry.kind().equals(RoomLogRecord.PURGE)) {
            takePurge(entry, record instanceof RoomPurged purge ? purge : null, wakes);
        } else if (entry.kind().equals(RoomLogRecord.DEVICE_LIST)) {
            takeDeviceList(entry, record instanceof DeviceListChanged changed ? changed : null, wakes);
        } else {
            takeEvent(entry, record instanceof EventAppended event ? event : null, wakes);
        }
    }

    private void takeReceipts(LogRecord entry, @Nullable ReceiptsSet receipts, Wakes wakes) {
        var ring = Objects.requireNonNull(rings.taking(entry));
        if (receipts == null) {
            ring.receipts().miss(entry.pos());
        } else {
            ring.receipts().add(receipts, entry.pos(), System.nanoTime());
            receipts.receipts().forEach(receipt -> wakeOwner(entry.tenant(), receipt, wakes));
        }
        if (entry.subject() == null) {
            ring.readersInto(wakes.of(receipts == null ? Urgency.NOW : Urgency.LATER));
            return;
        }
        var inbox = subject(entry);
        if (inbox != null) {
            wakes.of(Urgency.NOW).add(inbox.waiters());
        }
    }

    /** A user's own receipts change the unread counts of the user's devices. */
    private void wakeOwner(TenantId tenant, Receipt receipt, Wakes wakes) {
        var inbox = inboxes.find(new TenantUser(tenant, receipt.user()));
        if (inbox != null) {
            wakes.of(Urgency.NOW).add(inbox.waiters());
        }
    }

    /** Readers find the gap of an unreadable entry in their next look, and ask room-service. */
    private void takeDeviceList(LogRecord entry, @Nullable DeviceListChanged changed, Wakes wakes) {
        if (changed == null || entry.subject() == null) {
            deviceLists.miss(entry.shard(), entry.pos());
            return;
        }
        deviceLists.add(entry.shard(), entry.pos(), entry.tenant(), entry.subject(), changed.rooms());
        rings.readersInto(wakes.of(Urgency.NOW), entry.tenant(), changed.rooms());
    }

    /** Ends the memberships of a purged room; the readers' next look asks room-service for the leave. */
    private void takePurge(LogRecord entry, @Nullable RoomPurged purge, Wakes wakes) {
        var room = Objects.requireNonNull(entry.room());
        for (var inbox : inboxes.all()) {
            if (!inbox.key().tenant().equals(entry.tenant())
                    || !inbox.memberships().mayKnow(room)) {
                continue;
            }
            if (purge == null) {
                forget(inbox);
            } else {
                applyOwn(inbox, OwnMemberEvent.ofPurge(entry));
            }
            wakes.of(Urgency.NOW).add(inbox.waiters());
        }
        rings.drop(room(entry));
    }

    private void takeEvent(LogRecord entry, @Nullable EventAppended event, Wakes wakes) {
        if (event != null && isTypedIn(entry)) {
            ended(event.meta()).forEach(user -> typing.end(room(entry), user, entry.pos(), System.nanoTime()));
        }
        if (event != null) {
            noticeActive(entry.tenant(), event.meta());
        }
        var ring = rings.taking(entry);
        if (ring != null) {
            hold(ring, entry, event);
            ring.readersInto(wakes.of(Urgency.SOON));
        }
        var inbox = subject(entry);
        if (inbox != null) {
            wakes.of(Urgency.NOW).add(inbox.waiters());
            applyOwn(inbox, entry, event);
        }
    }

    /** A user who sends an event is active. */
    private void noticeActive(TenantId tenant, EventMeta meta) {
        var sender = inboxes.find(new TenantUser(tenant, meta.sender()));
        if (sender != null && meta.ts() > sender.activeMillis()) {
            sender.setActive(meta.ts());
        }
    }

    /** The users whose typing an event ends: the sender of a message, or a member who left. */
    private static List<UserId> ended(EventMeta meta) {
        if (meta.stateKey() == null) {
            return List.of(meta.sender());
        }
        return meta.membership() == null || meta.membership() == Membership.JOIN
                ? List.of()
                : List.of(new UserId(meta.stateKey()));
    }

    private boolean isTypedIn(LogRecord entry) {
        return entry.room() != null && typing.isTypedIn(room(entry));
    }

    private static TenantRoom room(LogRecord entry) {
        return new TenantRoom(entry.tenant(), Objects.requireNonNull(entry.room()));
    }

    /**
     * Whether an event after the position ended the user's typing. If the ring does not reach back to the position, any later
     * event counts: a typing user reappears with the next typing request, whereas a departed user would type until the deadline.
     */
    synchronized boolean hasEndedTyping(TenantRoom room, UserId user, long pos) {
        var ring = rings.find(room);
        var since = ring == null ? null : ring.between(pos, Long.MAX_VALUE);
        return since == null
                ? latest.isAfter(room, pos)
                : since.stream().anyMatch(ringEvent -> ended(ringEvent.meta()).contains(user));
    }

    /** Wakes the members after a change of typing. */
    void wakeMembers(TenantRoom room) {
        var wakes = new Wakes();
        rings.readersInto(wakes.of(Urgency.LATER), room);
        wakes.ring();
    }

    /** Wakes the readers of the rooms that have at most {@code most} readers, after changes of presence. */
    void wakeReaders(TenantId tenant, Set<Long> hashes, int most) {
        var wakes = new Wakes();
        rings.readersInto(
                wakes.of(Urgency.LATER),
                (key, ring) -> key.tenant().equals(tenant)
                        && ring.readers() <= most
                        && hashes.contains(key.room().hash()));
        wakes.ring();
    }

    private static void hold(RoomRing ring, LogRecord entry, @Nullable EventAppended event) {
        if (event == null) {
            ring.miss(entry.pos());
            return;
        }
        ring.add(new RingEvent(entry.pos(), event), System.nanoTime());
    }

    private void applyOwn(Inbox inbox, LogRecord entry, @Nullable EventAppended event) {
        var memberships = inbox.memberships();
        if (event == null) {
            if (memberships.isKnown() && memberships.isNewTo(entry.shard(), entry.pos())) {
                forget(inbox); // read the memberships again
            }
            return;
        }
        applyOwn(inbox, OwnMemberEvent.of(entry, event));
    }

    private void applyOwn(Inbox inbox, OwnMemberEvent own) {
        switch (inbox.memberships().apply(own)) {
            // gathered events lie behind the node's position, and the ring has no entry before that
            case KEEP ->
                enter(
                        inbox,
                        own.room(),
                        own.shard(),
                        Math.max(own.pos(), progress.now().positions().at(own.shard())));
            case RELEASE -> {
                inbox.memberships().attach(own.room(), null);
                leave(inbox, own.room());
            }
            case NONE -> {}
        }
    }

    /** Takes a snapshot of memberships from room-service, and the events gathered since the call. */
    synchronized void install(Inbox inbox, MembershipsClient.Snapshot snapshot) {
        var now = progress.now();
        if (now.epoch() != snapshot.epoch()) {
            throw ApiException.unavailable("the server was restored this moment, try again");
        }
        for (var room : inbox.memberships().install(snapshot)) {
            enter(inbox, room.room(), room.shard(), now.positions().at(room.shard()));
        }
        inbox.memberships().takeGathered().forEach(own -> applyOwn(inbox, own));
    }

    private void enter(Inbox inbox, RoomId room, int shard, long pos) {
        var key = new TenantRoom(inbox.key().tenant(), room);
        inbox.memberships().attach(room, rings.enter(key, shard, pos, inbox.waiters()));
    }

    private void leave(Inbox inbox, RoomId room) {
        rings.leave(new TenantRoom(inbox.key().tenant(), room), inbox.waiters());
    }

    /** Removes the user as a reader of all rooms. */
    synchronized void forget(Inbox inbox) {
        inbox.memberships().attachedRooms().forEach(room -> leave(inbox, room));
        inbox.memberships().forget();
    }

    /** The positions from which all rooms are complete in memory; null unless this node has just started. */
    @Nullable
    Positions filledFrom() {
        return rings.filledFrom();
    }

    /** Evicts old events, and ends the fill after a start. */
    synchronized void clean(long nowNanos, long maxAgeNanos) {
        rings.dropBefore(nowNanos - maxAgeNanos);
        rings.endFilling(nowNanos);
    }

    long bytes() {
        return rings.bytes();
    }

    int rooms() {
        return rings.size();
    }

    private @Nullable Inbox subject(LogRecord entry) {
        return entry.subject() == null ? null : inboxes.find(new TenantUser(entry.tenant(), entry.subject()));
    }
}
