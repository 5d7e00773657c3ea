// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushRules;
import rookery.platform.push.Reader;
import rookery.platform.push.RoomFacts;
import rookery.platform.push.Verdict;
import rookery.push.RoomUser;
import rookery.push.count.Candidates.Candidate;
import rookery.push.count.Candidates.CandidateEvent;
import rookery.push.count.Candidates.Facts;
import rookery.push.count.CohortNotifications.CohortNotification;
import rookery.push.count.Exceptions.OwnVerdict;
import rookery.push.count.Readers.ReaderRules;

/**
 * Judges the events of a batch by push rules: once for each cohort of the room, and once for each candidate: a member whose own
 * rules may decide otherwise ({@link Candidates}). The class only reads; the caller writes the outcome.
 */
@Component
class Evaluation {
    private final Cohorts cohorts;
    private final Candidates candidates;
    private final Readers readers;

    Evaluation(Cohorts cohorts, Candidates candidates, Readers readers) {
        this.cohorts = cohorts;
        this.candidates = candidates;
        this.readers = readers;
    }

    /** The results of judging a batch. */
    static final class Outcome {
        final Facts facts;
        final List<CohortNotification> notifications = new ArrayList<>();
        /** Own verdicts that differ from the cohort's. */
        final List<OwnVerdict> exceptions = new ArrayList<>();
        /**
         * Own verdicts to push, whether or not they differ from the cohort's. {@code PushTargets} leaves out the users who ignore
         * the sender.
         */
        final List<OwnVerdict> pushes = new ArrayList<>();
        /** By event: users with a verdict of their own, who are left out when {@code PushTargets} expands a cohort. */
        final IdentityHashMap<LoggedEvent, Set<UserId>> judged = new IdentityHashMap<>();
        /** By event: the sender's display name. */
        final IdentityHashMap<LoggedEvent, String> senders = new IdentityHashMap<>();

        Outcome(Facts facts) {
            this.facts = facts;
        }
    }

    /** All inputs of the judgement. */
    private record Inputs(
            Batch batch,
            Names names,
            List<CandidateEvent> events,
            Facts facts,
            Map<Cohorts.CohortKey, PushRules> rules,
            Map<TenantUser, ReaderRules> readers) {}

    /** Judges the batch's events, except events that were already redacted. */
    Mono<Outcome> of(Batch batch, Names names) {
        var events = batch.events.stream()
                .filter(event -> !event.isRedacted())
                .map(CandidateEvent::of)
                .toList();
        if (events.isEmpty()) {
            return Mono.just(new Outcome(Facts.NONE));
        }
        return candidates.find(events).flatMap(facts -> of(batch, names, events, facts));
    }

    private Mono<Outcome> of(Batch batch, Names names, List<CandidateEvent> events, Facts facts) {
        var keys = new HashSet<Cohorts.CohortKey>();
        facts.cohorts().forEach((room, ids) -> ids.forEach(id -> keys.add(new Cohorts.CohortKey(room.tenant(), id))));
        return cohorts.rules(keys)
                .zipWhen(_ -> readers.find(usersToRead(batch, events, facts.candidates())))
                .map(read -> judged(new Inputs(batch, names, events, facts, read.getT1(), read.getT2())));
    }

    private static Set<TenantUser> usersToRead(
            Batch batch, List<CandidateEvent> events, Map<Integer, List<Candidate>> candidates) {
        var users = new HashSet<TenantUser>();
        for (int i = 0; i < events.size(); i++) {
            var event = events.get(i).event();
            var tenant = event.room().tenant();
            for (var candidate : candidates.getOrDefault(i, List.of())) {
                if (isReader(event, candidate)) {
                    users.add(new TenantUser(tenant, candidate.user()));
                }
            }
            var invited = invited(batch, event);
            if (invited != null) {
                users.add(new TenantUser(tenant, invited));
            }
        }
        return users;
    }

    private static boolean isReader(LoggedEvent event, Candidate candidate) {
        return candidate.joinedPos() < event.pos()
                && !candidate.user().equals(event.meta().sender());
    }

    /** The invited user if still invited at the end of the batch, otherwise null. */
    private static @Nullable UserId invited(Batch batch, LoggedEvent event) {
        var subject = event.subject();
        if (!event.isInvite() || subject == null) {
            return null;
        }
        var events = Objects.requireNonNull(batch.memberEvents.get(new RoomUser(event.room(), subject)));
        boolean stands = events.stream().allMatch(later -> later.pos() <= event.pos() || later.isInvite());
        return stands ? subject : null;
    }

    private static Outcome judged(Inputs inputs) {
        var outcome = new Outcome(inputs.facts);
        for (int i = 0; i < inputs.events.size(); i++) {
            var candidateEvent = inputs.events.get(i);
            var room = candidateEvent.event().facts();
            var verdicts = cohortVerdicts(inputs, candidateEvent, room, outcome);
            for (var candidate : inputs.facts.candidates().getOrDefault(i, List.of())) {
                judge(inputs, candidateEvent, room, candidate, verdicts, outcome);
            }
            judgeInvited(inputs, candidateEvent, room, outcome);
        }
        return outcome;
    }

    private static Map<Long, Verdict> cohortVerdicts(
            Inputs inputs, CandidateEvent candidateEvent, RoomFacts room, Outcome outcome) {
        var verdicts = new HashMap<Long, Verdict>();
        var key = candidateEvent.event().room();
        for (long cohort : inputs.facts.cohorts().getOrDefault(key, Set.of())) {
            var rules = inputs.rules.get(new Cohorts.CohortKey(key.tenant(), cohort));
            if (rules != null) {
                var verdict = rules.judge(candidateEvent.pushed(), room, OwnRules.anybody());
                verdicts.put(cohort, verdict);
                if (verdict.notifies()) {
                    outcome.notifications.add(new CohortNotification(candidateEvent.event(), cohort, verdict));
                }
            }
        }
        return verdicts;
    }

    private static void judge(
            Inputs inputs,
            CandidateEvent candidateEvent,
            RoomFacts room,
            Candidate candidate,
            Map<Long, Verdict> verdicts,
            Outcome outcome) {
        var event = candidateEvent.event();
        var user = new RoomUser(event.room(), candidate.user());
        var name = inputs.names.at(inputs.batch, user, event.pos(), candidate.displayName());
        if (candidate.user().equals(event.meta().sender()) && name != null) {
            outcome.senders.put(event, name); // the sender is always among the candidates
        }
        if (!isReader(event, candidate)) {
            return;
        }
        var readerRules = Objects.requireNonNull(inputs.readers.get(user.tenantUser()));
        var verdict =
                readerRules.rules().all().judge(candidateEvent.pushed(), room, new Reader(candidate.user(), name));
        var ownVerdict = new OwnVerdict(
                event, candidate.user(), verdict, verdicts.getOrDefault(candidate.cohort(), Verdict.NONE));
        outcome.judged.computeIfAbsent(event, _ -> new HashSet<>()).add(candidate.user());
        if (ownVerdict.differs()) {
            outcome.exceptions.add(ownVerdict);
        }
        if (verdict.notifies() && candidate.pushers() && !candidate.ignores()) {
            outcome.pushes.add(ownVerdict);
        }
    }

    private static void judgeInvited(Inputs inputs, CandidateEvent candidateEvent, RoomFacts room, Outcome outcome) {
        var event = candidateEvent.event();
        var invited = invited(inputs.batch, event);
        if (invited == null) {
            return;
        }
        var readerRules = Objects.requireNonNull(
                inputs.readers.get(new TenantUser(event.room().tenant(), invited)));
        var reader = new Reader(invited, event.contentText("displayname"));
        var verdict = readerRules.rules().all().judge(candidateEvent.pushed(), room, reader);
        var ownVerdict = new OwnVerdict(event, invited, verdict, Verdict.NONE);
        if (ownVerdict.differs()) {
            outcome.exceptions.add(ownVerdict);
        }
        if (verdict.notifies() && readerRules.pushers()) {
            outcome.pushes.add(ownVerdict);
        }
    }
}
