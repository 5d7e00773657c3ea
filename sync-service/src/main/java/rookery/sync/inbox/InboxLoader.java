// SPDX-License-Identifier: Apache-2.0
package rookery.sync.inbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.token.Positions;
import rookery.platform.log.append.Heads;
import rookery.platform.runtime.Turnstile;
import rookery.sync.unread.RulesText;

/** Loads a newly connected user's memberships, account data and push rules, once for concurrent requests. */
@Component
public class InboxLoader {
    private static final Logger log = LoggerFactory.getLogger(InboxLoader.class);
    private static final Duration RULES_PAUSE = Duration.ofSeconds(5);

    private final MembershipsClient memberships;
    private final AccountDataClient accountData;
    private final PushRulesClient pushRules;
    private final FollowedLogs logs;
    private final RoomFeed roomFeed;
    private final UserFeed userFeed;
    private final Turnstile turnstile;
    /** The default push rules, from a user without own rules. */
    private volatile @Nullable RulesText defaults;

    InboxLoader(
            MembershipsClient memberships,
            AccountDataClient accountData,
            PushRulesClient pushRules,
            FollowedLogs logs,
            RoomFeed roomFeed,
            UserFeed userFeed,
            InboxProperties properties) {
        this.memberships = memberships;
        this.accountData = accountData;
        this.pushRules = pushRules;
        this.logs = logs;
        this.roomFeed = roomFeed;
        this.userFeed = userFeed;
        this.turnstile = new Turnstile(properties.loadsAtOnce(), properties.loadsWaitingMax());
    }

    /** Completes when the inbox is loaded; the log keeps a loaded inbox current. 503 if an owner of the data does not answer. */
    public Mono<Void> loaded(Inbox inbox) {
        return Mono.defer(() -> inbox.isLoaded()
                        ? Mono.empty()
                        : inbox.loading(turnstile
                                .pass(inbox.key().tenant(), inbox.key().user(), load(inbox))
                                // outside of the turnstile: a slow push-service must not delay other loads
                                .then(Mono.defer(() -> askRules(inbox)))))
                .then(Mono.defer(() -> rules(inbox)))
                .then(Mono.defer(() -> inbox.isLoaded() ? Mono.empty() : Mono.error(RoomMemberships.notLoadedError())));
    }

    private Mono<Void> load(Inbox inbox) {
        return Mono.defer(() -> {
            roomFeed.forget(inbox);
            // gather changes before the reads, so that changes between read and install are not lost
            inbox.memberships().gather();
            inbox.data().gather();
            return Mono.when(loadMemberships(inbox), loadData(inbox));
        });
    }

    private Mono<Void> loadMemberships(Inbox inbox) {
        return memberships
                .of(inbox.key(), roomFeed.filledFrom())
                .delayUntil(snapshot -> logs.rooms().reaches(heads(snapshot)))
                .doOnNext(snapshot -> roomFeed.install(inbox, snapshot))
                .then();
    }

    private Mono<Void> loadData(Inbox inbox) {
        return accountData
                .of(inbox.key())
                .delayUntil(snapshot -> logs.users().reaches(heads(snapshot)))
                .doOnNext(snapshot -> userFeed.install(inbox, snapshot))
                .then();
    }

    /** Without push-service, the stored rules of auth-service apply, and push-service is asked again soon. */
    private Mono<Void> rules(Inbox inbox) {
        return inbox.triesRules(System.nanoTime(), RULES_PAUSE.toNanos()) ? askRules(inbox) : Mono.empty();
    }

    private Mono<Void> askRules(Inbox inbox) {
        return pushRules
                .of(inbox.key())
                .doOnNext(rules -> install(inbox, rules))
                .doOnError(failure -> assume(inbox, failure))
                .onErrorComplete()
                .then();
    }

    private void install(Inbox inbox, String rules) {
        var shared = defaults;
        var text = RulesText.ofPushService(inbox.key().user(), rules, shared);
        inbox.data().installRules(text);
        boolean isKnown = shared != null && text.template().equals(shared.template());
        if (!isKnown && text.isDefault()) { // share default rules only: own rules may contain private words
            defaults = text;
        }
    }

    /** Without push-service, users without own rules get the default rules of another user, with their own names. */
    private void assume(Inbox inbox, Throwable failure) {
        log.atWarn()
                .addKeyValue("cause", failure.getMessage())
                .log("push rules are not available, push-service is asked again");
        var shared = defaults;
        if (shared != null) {
            inbox.data().assumeRules(shared.of(inbox.key().user()));
        }
    }

    private static Heads heads(MembershipsClient.Snapshot snapshot) {
        return new Heads(snapshot.epoch(), Positions.of(snapshot.positions()));
    }

    private Heads heads(AccountDataClient.Snapshot snapshot) {
        var positions = Positions.zero(logs.users().now().positions().shards()).with(snapshot.shard(), snapshot.pos());
        return new Heads(snapshot.epoch(), positions);
    }
}
