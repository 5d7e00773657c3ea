package rookery.room.roomlog;

import java.util.List;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.EventId;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome;
import rookery.room.authorization.AuthRules;
import rookery.room.authorization.Candidate;
import rookery.room.authorization.Verdict.Allowed;
import rookery.room.authorization.Verdict.Denied;
import rookery.room.draft.RoomAnswer;

/** Helpers of all verdicts: judging a candidate, and making an outcome. */
final class VerdictFactory {
    private VerdictFactory() {}

    static void require(RoomWork room, Candidate candidate) {
        switch (AuthRules.judge(room, room.powerLevelsOrEmpty(), candidate)) {
            case Allowed() -> {}
            case Denied(String reason) -> throw new ApiException(ErrorCode.M_FORBIDDEN, reason);
        }
    }

    static boolean isAllowed(RoomWork room, Candidate candidate) {
        require(room, candidate);
        return true;
    }

    static Outcome<RoomAnswer> accepted(List<EntryDraft> entries, @Nullable EventId id) {
        return new Outcome.Accepted<>(entries, id == null ? RoomAnswer.NOTHING_TO_DO : new RoomAnswer(id));
    }
}
