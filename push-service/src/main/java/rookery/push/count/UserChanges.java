// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantUser;
import rookery.platform.push.OwnRules;
import rookery.push.count.Cohorts.NamedCohort;
import rookery.push.count.Members.Member;
import rookery.push.count.PastCohorts.PastMember;
import rookery.push.count.Readers.RulesVersion;
import rookery.push.userrule.RulesText;

/**
 * Changes of users that affect their counts: push rules, ignored users, pushers, deactivation. An event is judged by the rules at
 * the time of counting and keeps its verdict.
 */
@Component
public class UserChanges {
    private final BatchBarrier barrier;
    private final Readers readers;
    private final IgnoredUsers ignored;
    private final Members members;
    private final RoomCohorts roomCohorts;
    private final Cohorts cohorts;
    private final PastCohorts past;
    private final CountTables tables;

    UserChanges(
            BatchBarrier barrier,
            Readers readers,
            IgnoredUsers ignored,
            Members members,
            RoomCohorts roomCohorts,
            Cohorts cohorts,
            PastCohorts past,
            CountTables tables) {
        this.barrier = barrier;
        this.readers = readers;
        this.ignored = ignored;
        this.members = members;
        this.roomCohorts = roomCohorts;
        this.cohorts = cohorts;
        this.past = past;
        this.tables = tables;
    }

    /** New push rules of a user: the content of {@code m.push_rules} at a position of the user log. */
    public record RulesSet(TenantUser owner, long epoch, long pos, String content) {
        private Readers.NewRules parsed() {
            return new Readers.NewRules(
                    new RulesVersion(owner, epoch, pos), content, RulesText.read(content, owner.user()));
        }
    }

    /** Sets new rules, at most once for each user. */
    public Mono<Void> rules(List<RulesSet> all) {
        if (all.isEmpty()) {
            return Mono.empty();
        }
        var sets = all.stream().map(RulesSet::parsed).toList();
        var rules = new HashMap<TenantUser, OwnRules>();
        sets.forEach(set -> rules.put(set.version().owner(), set.rules()));
        return barrier.begin()
                .flatMap(counted -> readers.set(sets)
                        .then(members.of(rules.keySet()))
                        .flatMap(memberships -> judgedBy(rules, memberships, counted)));
    }

    /** Moves these members to the cohorts of their new rules. */
    private Mono<Void> judgedBy(Map<TenantUser, OwnRules> rules, List<Member> memberships, List<Long> counted) {
        var named = new ArrayList<NamedCohort>();
        var before = new ArrayList<Member>();
        var after = new ArrayList<Member>();
        var left = new ArrayList<PastMember>();
        for (var member : memberships) {
            var own = Objects.requireNonNull(rules.get(member.user().tenantUser()));
            var room = member.user().room();
            var cohort = NamedCohort.of(room.tenant(), own.cohort(room.room()));
            boolean always = own.always(room.room());
            boolean isOther = cohort.key().id() != member.cohort();
            if (isOther || always != member.always()) {
                long now = counted.get(member.shard());
                named.add(cohort);
                before.add(member);
                after.add(member.in(cohort.key().id(), isOther ? now : member.cohortFrom(), always));
                if (isOther && now > member.cohortFrom()) {
                    left.add(new PastMember(member, now));
                }
            }
        }
        return cohorts.add(named)
                .then(past.add(left))
                .then(members.move(after))
                .then(roomCohorts.move(new RoomCohorts.Moves().came(after).went(before)));
    }

    /** Replaces users' lists of ignored users. */
    public Mono<Void> ignore(Map<TenantUser, Set<String>> lists) {
        return ignored.set(lists);
    }

    /** Records whether the user has pushers. */
    public Mono<Void> pushers(TenantUser user, boolean has) {
        return barrier.begin().then(readers.setPushers(user, has));
    }

    /** Deletes all data of deactivated accounts. */
    public Mono<Void> ended(Collection<TenantUser> users) {
        if (users.isEmpty()) {
            return Mono.empty();
        }
        return barrier.begin()
                .then(members.of(new HashSet<>(users)))
                .flatMap(memberships -> removed(users, memberships));
    }

    private Mono<Void> removed(Collection<TenantUser> users, List<Member> memberships) {
        return members.delete(memberships.stream().map(Member::user).toList())
                .then(roomCohorts.move(new RoomCohorts.Moves().went(memberships)))
                .then(tables.deleteOfUsers(users))
                .then(readers.delete(users))
                .then(ignored.delete(users));
    }

    /** Resets all data derived from the user log: default rules, no ignored users. */
    public Mono<Void> drop() {
        return barrier.begin()
                .flatMap(counted -> readers.dropRules()
                        .then(ignored.drop())
                        .then(members.unlikeDefault())
                        .flatMap(memberships -> judgedBy(defaults(memberships), memberships, counted)));
    }

    private static Map<TenantUser, OwnRules> defaults(List<Member> memberships) {
        var rules = new HashMap<TenantUser, OwnRules>();
        memberships.forEach(
                member -> rules.computeIfAbsent(member.user().tenantUser(), user -> RulesText.read("", user.user())));
        return rules;
    }
}
