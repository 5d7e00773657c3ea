// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.push.RoomUser;
import rookery.push.count.Members.Member;
import rookery.push.count.Readers.ReaderRules;

/** Updates the members and their cohorts by a batch's member events. A user who joins or leaves starts without unread counts. */
@Component
class MemberUpdater {
    private final Members members;
    private final RoomCohorts roomCohorts;
    private final Cohorts cohorts;
    private final Readers readers;
    private final CountTables tables;

    MemberUpdater(Members members, RoomCohorts roomCohorts, Cohorts cohorts, Readers readers, CountTables tables) {
        this.members = members;
        this.roomCohorts = roomCohorts;
        this.cohorts = cohorts;
        this.readers = readers;
        this.tables = tables;
    }

    /** The combined effect of a batch's member events. */
    private static final class Change {
        final List<LoggedEvent> joining = new ArrayList<>();
        final List<Member> gone = new ArrayList<>();
        final List<Member> renamed = new ArrayList<>();
        /** Users who start anew: read positions, past cohorts and exceptions are deleted. */
        final List<RoomUser> anew = new ArrayList<>();

        final Map<RoomUser, String> before = new HashMap<>();
    }

    /** Writes the batch's changes of members, before the batch's events are judged. */
    Mono<Names> update(Batch batch) {
        if (batch.memberEvents.isEmpty()) {
            return Mono.just(Names.NONE);
        }
        return members.find(batch.memberEvents.keySet())
                .map(existing -> changeOf(batch, existing))
                .flatMap(change -> written(change).thenReturn(new Names(change.before)));
    }

    private static Change changeOf(Batch batch, List<Member> existing) {
        var byUser = new HashMap<RoomUser, Member>();
        existing.forEach(member -> byUser.put(member.user(), member));
        var change = new Change();
        batch.memberEvents.forEach((user, events) -> add(change, user, events, byUser.get(user)));
        return change;
    }

    private static void add(Change change, RoomUser user, List<LoggedEvent> events, @Nullable Member member) {
        int last = events.size() - 1;
        int away = last;
        while (away >= 0 && events.get(away).isJoin()) {
            away--;
        }
        if (member != null && member.displayName() != null) {
            change.before.put(user, member.displayName());
        }
        if (member != null && away < 0) {
            change.renamed.add(member.named(events.get(last).contentText("displayname")));
            return;
        }
        if (member != null) {
            change.gone.add(member);
        }
        if (away < last) {
            change.joining.add(events.get(away + 1));
        }
        if (member != null || !events.stream().allMatch(LoggedEvent::isInvite)) {
            change.anew.add(user);
        }
    }

    private Mono<Void> written(Change change) {
        var gone = change.gone.stream().map(Member::user).toList();
        return members.delete(gone)
                .then(forget(change.anew))
                .then(members.rename(change.renamed))
                .then(Mono.defer(() -> joined(change)));
    }

    private Mono<Void> forget(List<RoomUser> anew) {
        return anew.isEmpty() ? Mono.empty() : tables.deleteOfMembers(anew);
    }

    private Mono<Void> joined(Change change) {
        var users = change.joining.stream()
                .map(MemberUpdater::tenantUser)
                .distinct()
                .toList();
        return readers.find(users).flatMap(readerRules -> joined(change, readerRules));
    }

    private Mono<Void> joined(Change change, Map<TenantUser, ReaderRules> readerRules) {
        var named = new ArrayList<Cohorts.NamedCohort>();
        var joined = new ArrayList<Member>();
        for (var event : change.joining) {
            var reader = Objects.requireNonNull(readerRules.get(tenantUser(event)));
            var room = event.room();
            var cohort = Cohorts.NamedCohort.of(room.tenant(), reader.rules().cohort(room.room()));
            named.add(cohort);
            joined.add(new Member(
                    new RoomUser(room, tenantUser(event).user()),
                    event.shard(),
                    event.pos(),
                    event.contentText("displayname"),
                    cohort.key().id(),
                    event.pos(),
                    reader.rules().always(room.room()),
                    reader.pushers()));
        }
        var moves = new RoomCohorts.Moves().came(joined).went(change.gone);
        return cohorts.add(named).then(members.insert(joined)).then(roomCohorts.move(moves));
    }

    private static TenantUser tenantUser(LoggedEvent event) {
        return new TenantUser(event.room().tenant(), Objects.requireNonNull(event.subject()));
    }
}
