// SPDX-License-Identifier: Apache-2.0
package rookery.room.upgrade;

import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.room.draft.EventLine;
import rookery.room.draft.RoomDraft.OfBans;
import rookery.room.roomlog.RoomLog;
import rookery.room.table.BanCopies;
import rookery.room.table.BanCopies.Ban;
import rookery.room.table.BanCopies.BanCopy;
import rookery.room.table.WorkQueue;

/**
 * Copies the bans that follow an upgrade, in portions between the room's other drafts. The progress is written in the
 * transaction of the bans, so a crash loses none. If two instances copy the same portion, the second finds the bans in
 * the room and appends none.
 */
@Component
class BanCopyWorker {
    private static final Logger log = LoggerFactory.getLogger(BanCopyWorker.class);
    private static final int AT_ONCE = 8;

    private final BanCopies copies;
    private final RoomLog roomLog;
    private final RandomGenerator random;

    BanCopyWorker(BanCopies copies, RoomLog roomLog, RandomGenerator random) {
        this.copies = copies;
        this.roomLog = roomLog;
        this.random = random;
    }

    @Scheduled(initialDelayString = "PT0.5S", fixedDelayString = "${rookery.room.carry-over.interval:PT0.5S}")
    Mono<Void> work() {
        return Mono.defer(this::round)
                .onErrorResume(WorkQueue.logged(log, "copying bans to an upgraded room failed, next attempt follows"));
    }

    private Mono<Void> round() {
        return copies.open(AT_ONCE)
                .flatMap(open -> open.isEmpty()
                        ? Mono.empty()
                        : Flux.fromIterable(open)
                                .flatMap(this::portion, AT_ONCE)
                                .then(Mono.defer(this::round)));
    }

    private Mono<Void> portion(BanCopy copy) {
        return copies.next(copy)
                .flatMap(bans -> roomLog.append(draft(copy, bans)))
                .then();
    }

    private OfBans draft(BanCopy copy, List<Ban> bans) {
        var upto = bans.size() < BanCopies.PORTION ? null : bans.getLast().pos();
        return new OfBans(copy.successor(), copy.by(), bans, copy.after(), upto, () -> EventLine.newId(random));
    }
}
