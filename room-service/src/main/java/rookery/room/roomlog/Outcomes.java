// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.id.EventId;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome;
import rookery.room.draft.RoomAnswer;

final class Outcomes {
    private Outcomes() {}

    static Outcome<RoomAnswer> accepted(EntryDraft entry, @Nullable EventId id) {
        return accepted(List.of(entry), id);
    }

    static Outcome<RoomAnswer> accepted(List<EntryDraft> entries, @Nullable EventId id) {
        return new Outcome.Accepted<>(entries, id == null ? RoomAnswer.NOTHING_TO_DO : new RoomAnswer(id));
    }

    /** The draft appends no entry. */
    static Outcome<RoomAnswer> unchanged(@Nullable EventId id) {
        return accepted(List.of(), id);
    }
}
