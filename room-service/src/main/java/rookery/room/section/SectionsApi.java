// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.room.section.ActivityReader.RoomActivity;
import rookery.room.section.MemberEventsReader.MemberEvents;
import rookery.room.section.MemberEventsReader.WantedMember;
import rookery.room.section.MembershipReader.Memberships;
import rookery.room.section.SectionReader.Sections;

/** A user's memberships and the rooms of sync responses, for sync nodes. Internal. */
@RestController
class SectionsApi {
    private final SectionReader sections;
    private final MembershipReader memberships;
    private final MemberEventsReader memberEvents;
    private final ActivityReader activity;
    private final SpaceChildren children;

    SectionsApi(
            SectionReader sections,
            MembershipReader memberships,
            MemberEventsReader memberEvents,
            ActivityReader activity,
            SpaceChildren children) {
        this.sections = sections;
        this.memberships = memberships;
        this.memberEvents = memberEvents;
        this.activity = activity;
        this.children = children;
    }

    /**
     * One JSON document a line: the positions, each room, and a last line with the number of rooms. An answer without
     * the last line is incomplete and must not be used.
     */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/sync")
    Flux<byte[]> sections(@RequestBody SyncRequest request) {
        return sections.read(request).flatMapMany(SectionsApi::lines);
    }

    private static Flux<byte[]> lines(Sections read) {
        var count = new AtomicInteger();
        var rooms = read.rooms().doOnNext(_ -> count.incrementAndGet()).map(JsonLines::line);
        var head = JsonLines.line(new Head(read.epoch(), read.upto().toArray()));
        return Flux.concat(Mono.just(head), rooms, Mono.fromSupplier(() -> JsonLines.line(new End(count.get()))));
    }

    /** The member events of users at positions of rooms, each once: with the epoch of the log. */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/sync/members")
    Mono<MembersFound> members(@RequestBody MembersQuery query) {
        return memberEvents.read(query.tenant, query.members).map(SectionsApi::found);
    }

    private static MembersFound found(MemberEvents read) {
        var rooms = read.byRoom().entrySet().stream()
                .map(room -> new MembersOfRoom(
                        room.getKey(),
                        room.getValue().stream()
                                .map(event -> new MemberFound(event.pos(), event.body()))
                                .toList()))
                .toList();
        return new MembersFound(read.epoch(), rooms);
    }

    /** The activity of rooms for a user, for the lists of sliding sync. */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/rooms/activity")
    Mono<ActivityAnswer> activity(@RequestBody ActivityQuery query) {
        return activity.read(new TenantUser(query.tenant, query.user), query.rooms)
                .map(ActivityAnswer::new);
    }

    record ActivityQuery(TenantId tenant, UserId user, List<RoomId> rooms) {}

    record ActivityAnswer(List<RoomActivity> rooms) {}

    /** The children of spaces that the user is joined to. */
    @Callers(ServiceName.SYNC)
    @PostMapping("/internal/rooms/children")
    Mono<ChildrenAnswer> children(@RequestBody ActivityQuery query) {
        return children.read(new TenantUser(query.tenant, query.user), query.rooms)
                .map(bySpace -> new ChildrenAnswer(bySpace.entrySet().stream()
                        .map(space -> new ChildrenOfSpace(space.getKey(), space.getValue()))
                        .toList()));
    }

    record ChildrenAnswer(List<ChildrenOfSpace> spaces) {}

    record ChildrenOfSpace(@JsonProperty("room_id") RoomId roomId, Collection<String> children) {}

    record MembersQuery(TenantId tenant, List<WantedMember> members) {}

    record MembersFound(long epoch, List<MembersOfRoom> rooms) {}

    record MembersOfRoom(@JsonProperty("room_id") RoomId roomId, List<MemberFound> events) {}

    record MemberFound(long pos, String body) {}

    /** The user's current rooms; with {@code after}, one position for each shard, also the rooms left since. */
    @Callers(ServiceName.SYNC)
    @GetMapping("/internal/users/{userId}/memberships")
    Mono<Memberships> memberships(
            @PathVariable UserId userId,
            @RequestParam int tenant,
            @RequestParam(required = false) long @Nullable [] after) {
        return memberships.read(new TenantId(tenant), userId, after == null ? null : Positions.of(after));
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, written once
    record Head(long epoch, long[] positions) {}

    record End(int end) {}
}
