// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.topic.EventMeta;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushedEvent;
import rookery.platform.push.Reader;
import rookery.platform.push.RoomFacts;
import rookery.platform.push.Term;
import rookery.platform.push.Verdict;

/** An event parsed once for all readers, with the push rules' verdicts for readers whom the event does not mention. */
final class JudgedEvent {
    private final PushedEvent event;
    private final RoomFacts facts;
    private final @Nullable Set<Term> terms;
    private final Set<String> mentioned;
    private final @Nullable String subject;
    private final Map<String, Verdict> verdicts = new ConcurrentHashMap<>();

    JudgedEvent(RoomId room, EventAppended appended) {
        this.event = PushedEvent.of(room, appended.eventJson());
        this.facts = facts(appended.meta());
        this.terms = event.terms();
        this.mentioned = event.mentioned();
        this.subject = appended.meta().stateKey();
    }

    private static RoomFacts facts(EventMeta meta) {
        var power = meta.power();
        var notifications =
                power == null || power.notifications() == null ? Map.<String, Long>of() : power.notifications();
        return new RoomFacts(meta.room().joined(), power == null ? 0 : power.level(), notifications);
    }

    /** Null if the event cannot be matched by terms. */
    @Nullable
    Set<Term> terms() {
        return terms;
    }

    /** Whether default rules may give the user a verdict of their own. */
    boolean isAbout(UserId user) {
        return mentioned.contains(user.value()) || user.value().equals(subject);
    }

    /** @param displayName the user's name in the room, null for none */
    Verdict judge(Rules rules, @Nullable String displayName) {
        if (rules.areSpecialTo(this)) {
            return rules.ready().judge(event, facts, new Reader(rules.user, displayName));
        }
        var verdict = verdicts.get(rules.variant());
        if (verdict == null) {
            verdict = rules.ofVariant().judge(event, facts, OwnRules.anybody());
            verdicts.put(rules.variant(), verdict);
        }
        return verdict;
    }
}
