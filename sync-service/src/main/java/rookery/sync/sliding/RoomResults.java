// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sliding;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.event.EventTypes;
import rookery.model.token.PageToken;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.sync.answer.Answer.Room;
import rookery.sync.answer.EventLines;
import rookery.sync.answer.counts.UnreadStream;
import rookery.sync.inbox.ListedRoom;
import rookery.sync.ring.RoomPart;
import rookery.sync.ring.RoomPart.Line;
import rookery.sync.ring.RoomPart.Section;
import rookery.sync.sliding.Plan.PlannedRoom;
import rookery.sync.waiting.Urgency;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes the rooms of an answer ({@code RoomResult} of MSC4186). */
@Component
class RoomResults {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final TokenCodec tokens;
    private final EventLines lines;

    RoomResults(TokenCodec tokens, EventLines lines) {
        this.tokens = tokens;
        this.lines = lines;
    }

    /** The part of a timeline that the answer contains. */
    private record ShownTimeline(List<Line> events, boolean isLimited, long prevPos) {}

    /** Writes the room, unless nothing has changed beside receipts and typing, which are in extensions. */
    void write(SlidingPoll poll, SyncToken next, PlannedRoom planned, Room room, JsonGenerator json) {
        var part = room.part;
        boolean isEmpty = part.timeline().isEmpty()
                && part.state().isEmpty()
                && part.summary() == null
                && !part.limited()
                && part.section() == Section.JOIN;
        if (isEmpty && room.urgency() != Urgency.NOW) {
            return;
        }
        json.writeObjectPropertyStart(room.id().value());
        writeCommon(poll, planned, part, json);
        if (part.stripped() != null) {
            json.writeName(poll.request.isUnstable() ? "invite_state" : "stripped_state");
            json.writeRawValue(part.stripped());
        } else {
            writeJoined(poll, next, planned, part, json);
        }
        var counts = room.get(UnreadStream.COUNTS);
        if (counts != null) {
            json.writeNumberProperty("notification_count", counts.whole().notifications());
            json.writeNumberProperty("highlight_count", counts.whole().highlights());
        }
        json.writeEndObject();
    }

    private static void writeCommon(SlidingPoll poll, PlannedRoom planned, RoomPart part, JsonGenerator json) {
        var listed = planned.room().listed();
        if (planned.isInitial()) {
            json.writeBooleanProperty("initial", true);
        }
        var activity = listed.activity();
        if (activity != null && activity.bumpMs() > 0) {
            json.writeNumberProperty("bump_stamp", activity.bumpMs());
        }
        json.writeStringProperty("membership", membership(listed, part));
        if (!planned.room().lists().isEmpty()) {
            json.writeArrayPropertyStart("lists");
            planned.room().lists().forEach(json::writeString);
            json.writeEndArray();
        }
        boolean isDirect = poll.userRooms().isDirect(listed.room());
        if (isDirect || !planned.isInitial()) {
            json.writeBooleanProperty("is_dm", isDirect);
        }
    }

    private static String membership(ListedRoom listed, RoomPart part) {
        return part.section() == Section.LEAVE
                ? listed.isLeft() ? listed.membership().word : "leave"
                : part.section().word;
    }

    private void writeJoined(SlidingPoll poll, SyncToken next, PlannedRoom planned, RoomPart part, JsonGenerator json) {
        var shown = shown(planned, part);
        writeName(poll, part, json);
        var state = part.state().stream()
                .filter(line -> isWanted(poll, planned, part, line))
                .toList();
        if (!state.isEmpty()) {
            lines.write("required_state", poll, state, json);
        }
        if (!shown.events.isEmpty()) {
            lines.write(poll.request.isUnstable() ? "timeline" : "timeline_events", poll, shown.events, json);
            json.writeNumberProperty("num_live", live(poll, planned, shown));
        }
        if (!shown.events.isEmpty() || shown.isLimited || planned.isInitial()) {
            json.writeBooleanProperty("limited", shown.isLimited);
            json.writeStringProperty(
                    "prev_batch",
                    tokens.write(new PageToken(next.roomEpoch(), part.shard(), shown.prevPos), poll.reader));
        }
        if (planned.isExpanded()) {
            json.writeBooleanProperty(
                    poll.request.isUnstable() ? "unstable_expanded_timeline" : "expanded_timeline", true);
        }
        var summary = part.summary();
        if (summary != null) {
            json.writeNumberProperty("joined_count", summary.joined());
            json.writeNumberProperty("invited_count", summary.invited());
            writeHeroes(part, summary.heroes(), json);
        }
    }

    /** The user's own leave or ban is in the answer in any case. */
    private static boolean isWanted(SlidingPoll poll, PlannedRoom planned, RoomPart part, Line line) {
        var meta = line.ringEvent().meta();
        boolean isOwnEnd = part.section() == Section.LEAVE
                && line.ringEvent().isMemberEventOf(poll.reader.user().value());
        return isOwnEnd || planned.room().config().wants(meta.type(), Objects.requireNonNull(meta.stateKey()));
    }

    /** The last events, up to the limit; events that the client has only in an expanded timeline. */
    private static ShownTimeline shown(PlannedRoom planned, RoomPart part) {
        var events = part.timeline();
        boolean isLimited = part.limited();
        long prevPos = part.prevPos();
        if (!planned.isInitial() && !planned.isExpanded()) {
            int known = 0;
            while (known < events.size() && events.get(known).ringEvent().pos() <= planned.from()) {
                known++;
            }
            if (known > 0) {
                prevPos = planned.from();
                isLimited = false;
                events = events.subList(known, events.size());
            }
        }
        int limit = planned.room().config().timelineLimit();
        if (events.size() > limit) {
            var last = events.getLast().ringEvent().pos();
            events = events.subList(events.size() - limit, events.size());
            isLimited = true;
            prevPos = events.isEmpty() ? last : events.getFirst().ringEvent().pos() - 1;
        }
        return new ShownTimeline(events, isLimited, prevPos);
    }

    /** The number of events since the client's token. */
    private static long live(SlidingPoll poll, PlannedRoom planned, ShownTimeline shown) {
        var since = poll.since();
        long from = since == null
                ? Long.MAX_VALUE
                : since.rooms().at(planned.room().listed().shard());
        return shown.events.stream()
                .filter(line -> line.ringEvent().pos() > from)
                .count();
    }

    private static void writeName(SlidingPoll poll, RoomPart part, JsonGenerator json) {
        writeText("name", content(part, EventTypes.NAME, ""), "name", poll, json);
        writeText("avatar", content(part, EventTypes.AVATAR, ""), "url", poll, json);
    }

    private static void writeText(
            String member, @Nullable JsonNode content, String field, SlidingPoll poll, JsonGenerator json) {
        if (content == null) {
            return;
        }
        var text = content.path(field).asString("");
        if (!text.isEmpty()) {
            json.writeStringProperty(member, text);
        } else if (!poll.request.isUnstable()) {
            json.writeNullProperty(member);
        }
    }

    private static @Nullable JsonNode content(RoomPart part, String type, String stateKey) {
        for (var line : part.state().reversed()) {
            var meta = line.ringEvent().meta();
            if (meta.type().equals(type) && stateKey.equals(meta.stateKey())) {
                return JSON.readTree(line.ringEvent().event().eventJson()).path("content");
            }
        }
        return null;
    }

    private static void writeHeroes(RoomPart part, @Nullable List<String> heroes, JsonGenerator json) {
        if (heroes == null || heroes.isEmpty()) {
            return;
        }
        json.writeArrayPropertyStart("heroes");
        for (var hero : heroes) {
            json.writeStartObject();
            json.writeStringProperty("user_id", hero);
            var content = content(part, EventTypes.MEMBER, hero);
            if (content != null) {
                for (var field : List.of("displayname", "avatar_url")) {
                    if (content.path(field).isString()) {
                        json.writeStringProperty(field, content.path(field).stringValue());
                    }
                }
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
