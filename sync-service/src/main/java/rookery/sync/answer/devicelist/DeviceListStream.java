// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer.devicelist;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.RoomId;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.model.token.Positions;
import rookery.sync.answer.Answer;
import rookery.sync.answer.ContentKey;
import rookery.sync.answer.Look;
import rookery.sync.answer.Poll;
import rookery.sync.answer.SyncStream;
import rookery.sync.answer.devicelist.WarmDeviceLists.AskOwner;
import rookery.sync.answer.devicelist.WarmDeviceLists.Departure;
import rookery.sync.answer.devicelist.WarmDeviceLists.Nothing;
import rookery.sync.answer.devicelist.WarmDeviceLists.PeerChanges;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;

/**
 * {@code device_lists} (contract.md 13.5, decision 0015), independent of the filter. {@code changed}: the reader, users whose
 * keys the reader signed, and users who share a room with the reader, if their devices or keys changed; and users who came to
 * share a room. {@code left}: users who share no room any more.
 *
 * <p>Key changes of the reader and of users whose keys the reader signed come from the user log, all else from the room log.
 * {@code @Order} after {@code KeyCountsStream}, which puts key changes from before this node followed the user into {@code
 * DeviceStates}.
 */
@Component
@Order(80)
class DeviceListStream implements SyncStream {
    private static final ContentKey<DeviceLists> LISTS = new ContentKey<>("device lists");
    private static final DeviceLists NONE = new DeviceLists(Set.of(), Set.of());
    /** Beyond this number of gone users ({@link PeerChanges}), one call to room-service is cheaper than one for each. */
    private static final int GONE_MAX = 8;

    private final WarmDeviceLists warm;
    private final DeviceListsClient roomService;
    private final PeerRooms peerRooms;

    DeviceListStream(WarmDeviceLists warm, DeviceListsClient roomService, PeerRooms peerRooms) {
        this.warm = warm;
        this.roomService = roomService;
        this.peerRooms = peerRooms;
    }

    @Override
    public Mono<Void> add(Look look, Answer answer) {
        if (look.since() == null) {
            return addAll(look, answer);
        }
        var fromUserLog =
                look.inbox().devices().keyChangesAfter(look.sinceToken().userPos());
        if (!fromUserLog.isEmpty()) {
            lists(answer).changed().addAll(fromUserLog);
        }
        return switch (warm.find(look)) {
            case Nothing() -> DONE;
            case AskOwner() -> ask(look, look.sinceToken().rooms(), answer);
            case PeerChanges peers
            when peers.gone().isEmpty() -> {
                addChanged(peers, answer);
                yield DONE;
            }
            case PeerChanges peers
            when peers.gone().size() > GONE_MAX -> ask(look, look.sinceToken().rooms(), answer);
            case PeerChanges peers -> addGone(look, peers, answer);
        };
    }

    /** After an invalid token (contract.md 10.2) a client queries the devices of the reader and of all users who share a room. */
    private Mono<Void> addAll(Look look, Answer answer) {
        if (look.poll().since() == null) {
            return DONE;
        }
        lists(answer).changed().add(look.poll().reader.user());
        return ask(look, Positions.zero(look.next().rooms().shards()), answer);
    }

    private Mono<Void> ask(Look look, Positions since, Answer answer) {
        return roomService
                .ask(look.inbox().key(), since, look.next().rooms())
                .doOnNext(epochLists -> {
                    if (epochLists.epoch() != look.next().roomEpoch()) {
                        throw Look.restoredError();
                    }
                    if (!epochLists.lists().areEmpty()) {
                        lists(answer).plus(epochLists.lists());
                    }
                })
                .then();
    }

    private static void addChanged(PeerChanges peers, Answer answer) {
        if (!peers.came().isEmpty() || !peers.changed().isEmpty()) {
            lists(answer).changed().addAll(peers.came());
            lists(answer).changed().addAll(peers.changed());
        }
    }

    private Mono<Void> addGone(Look look, PeerChanges peers, Answer answer) {
        var readerRooms =
                new HashSet<>(look.inbox().memberships().joinedRooms(look.next().rooms()));
        return Flux.fromIterable(List.copyOf(peers.gone().entrySet()))
                .filterWhen(gone -> sharesNone(look, gone, readerRooms))
                .map(Map.Entry::getKey)
                .collect(ArrayList<UserId>::new, List::add)
                .doOnNext(left -> {
                    left.forEach(peers.changed()::remove);
                    addChanged(peers, answer);
                    if (!left.isEmpty()) {
                        lists(answer).left().addAll(left);
                    }
                })
                .then();
    }

    private Mono<Boolean> sharesNone(Look look, Map.Entry<UserId, Departure> gone, Set<RoomId> readerRooms) {
        return peerRooms
                .after(new TenantUser(look.tenant(), gone.getKey()), gone.getValue())
                .map(userRooms -> userRooms.stream().noneMatch(readerRooms::contains));
    }

    private static DeviceLists lists(Answer answer) {
        var lists = answer.get(LISTS);
        if (lists == null) {
            lists = new DeviceLists();
            answer.put(LISTS, lists);
        }
        return lists;
    }

    @Override
    public Urgency urgency(Answer answer) {
        return answer.get(LISTS) == null ? Urgency.NOTHING : Urgency.NOW;
    }

    @Override
    public String extension() {
        return "e2ee";
    }

    @Override
    public void write(Poll poll, Answer answer, JsonGenerator json) {
        var lists = answer.get(LISTS);
        json.writeObjectPropertyStart("device_lists");
        (lists == null ? NONE : lists).write(json);
        json.writeEndObject();
    }
}
