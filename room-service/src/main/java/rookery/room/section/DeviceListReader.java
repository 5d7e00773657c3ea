// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.log.append.Heads;
import rookery.platform.log.append.LogEntries;
import rookery.room.section.DeviceListRows.MovedMember;
import rookery.room.section.SectionRows.KnownRoom;
import rookery.room.section.SectionRows.Stretch;

/**
 * Computes the changes of a user's device lists between two positions of the log (contract.md 13.5): users sharing a
 * room whose devices or keys have changed, and users who share no room any more. A superfluous {@code changed} entry
 * costs the client one key query and does no harm; the user itself is in neither list.
 */
@Component
class DeviceListReader {
    private final LogEntries log;
    private final SectionRows sections;
    private final DeviceListRows rows;
    private final Snapshots snapshots;

    DeviceListReader(LogEntries log, SectionRows sections, DeviceListRows rows, Snapshots snapshots) {
        this.log = log;
        this.sections = sections;
        this.rows = rows;
        this.snapshots = snapshots;
    }

    record DeviceLists(long epoch, Set<String> changed, Set<String> left) {}

    Mono<DeviceLists> read(TenantId tenant, UserId user, Positions since, Positions upto) {
        var request = SyncRequest.ofEverything(tenant, user);
        var reader = new TenantUser(tenant, user);
        return log.heads()
                .flatMap(heads -> sections.memberships(request)
                        .map(memberships -> Rooms.of(memberships, since, upto))
                        .flatMap(rooms -> read(reader, heads, rooms)))
                .as(snapshots::of);
    }

    /**
     * The user's rooms, by membership.
     *
     * @param shared rooms in which the user is joined at the end
     * @param stayed the shared rooms in which the user was joined throughout
     * @param entered the other shared rooms, as of the end
     * @param left rooms that the user has left, up to the leave
     */
    private record Rooms(List<Stretch> shared, List<Stretch> stayed, List<Stretch> entered, List<Stretch> left) {
        static Rooms of(List<KnownRoom> memberships, Positions since, Positions upto) {
            var rooms = new Rooms(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            memberships.stream()
                    .filter(room -> room.purge() == null)
                    .forEach(room -> rooms.add(room, since.at(room.shard()), upto.at(room.shard())));
            return rooms;
        }

        private void add(KnownRoom room, long after, long to) {
            var history = room.history().upTo(to);
            if (history.now() == Membership.JOIN) {
                shared.add(new Stretch(room.room(), after, to));
                if (history.joinedFrom() <= after) {
                    stayed.add(new Stretch(room.room(), after, to));
                } else {
                    entered.add(new Stretch(room.room(), to, to));
                }
            } else if (after < to && history.at(after) == Membership.JOIN) {
                left.add(new Stretch(room.room(), after, history.leftAt() - 1));
            }
        }
    }

    private Mono<DeviceLists> read(TenantUser reader, Heads heads, Rooms rooms) {
        var changed = new LinkedHashSet<String>();
        var leftUsers = new LinkedHashSet<String>();
        return rows.changed(reader, rooms.stayed)
                .doOnNext(changed::addAll)
                .then(rows.moved(reader, rooms.stayed))
                .doOnNext(moved -> moved.forEach(each -> sort(each, changed, leftUsers)))
                .then(rows.joined(reader, rooms.entered))
                .flatMap(users -> rows.unshared(reader, users, rooms.stayed))
                .doOnNext(changed::addAll)
                .then(rows.joined(reader, rooms.left))
                .doOnNext(leftUsers::addAll)
                .then(Mono.defer(() -> rows.unshared(reader, leftUsers, rooms.shared)))
                .map(left -> new DeviceLists(heads.epoch(), changed, new LinkedHashSet<>(left)));
    }

    private static void sort(MovedMember moved, Set<String> changed, Set<String> leftUsers) {
        (moved.inside() ? changed : leftUsers).add(moved.user());
    }
}
