package rookery.room.section;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.event.Membership;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.room.section.MembershipReader.Member;
import rookery.room.section.ReceiptRows.RoomReceipts;
import rookery.room.section.SectionReader.Sections;

/** What sync nodes ask: a user's rooms, and what there is to say of them. Internal. */
@RestController
class SectionsApi {
    private final SectionReader sections;
    private final MembershipReader memberships;

    SectionsApi(SectionReader sections, MembershipReader memberships) {
        this.sections = sections;
        this.memberships = memberships;
    }

    @PostMapping("/internal/sync")
    Mono<Answer> sections(@RequestBody SyncRequest request) {
        return sections.read(request).map(Answer::of);
    }

    @GetMapping("/internal/users/{userId}/memberships")
    Mono<Memberships> memberships(@PathVariable UserId userId, @RequestParam int tenant) {
        return memberships.read(new TenantId(tenant), userId);
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, written once
    record Answer(long epoch, long[] positions, List<Section> rooms, List<RoomReceipts> receipts) {
        static Answer of(Sections sections) {
            return new Answer(sections.epoch(), sections.upto().toArray(), sections.rooms(), sections.receipts());
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    record Memberships(long epoch, long[] positions, List<Room> rooms) {}

    record Room(
            @JsonProperty("room_id") RoomId roomId,
            int shard,
            Membership membership,
            long pos,
            @JsonProperty("joined_from") long joinedFrom) {
        static Room of(Member member) {
            return new Room(member.room(), member.shard(), member.membership(), member.pos(), member.joinedFrom());
        }
    }
}
