// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.UserId;
import rookery.platform.push.Verdict;
import rookery.push.Columns;
import rookery.push.RoomUser;
import rookery.push.notification.ActionsText;

/** The table of users' own verdicts that differ from the verdict for their cohort. */
@Component
class Exceptions {
    static final String INSERT = """
            INSERT INTO push.exception
                   (tenant, room_id, user_id, pos, shard, thread, event_id, sender, ts, actions, notify, highlight, n_delta, h_delta)
            SELECT * FROM unnest(:tenants::int[], :rooms::text[], :users::text[], :positions::bigint[], :shards::int[],
                                 :threads::text[], :events::text[], :senders::text[], :times::bigint[], :actions::text[],
                                 :notify::bool[], :highlights::bool[], :n::int[], :h::int[])
            """;

    private static final String WITHDRAW = """
            DELETE FROM push.exception e
             USING unnest(:tenants::int[], :rooms::text[], :positions::bigint[]) AS k (tenant, room_id, pos)
             WHERE e.tenant = k.tenant AND e.room_id = k.room_id AND e.pos = k.pos
            """;

    private final DatabaseClient db;

    Exceptions(DatabaseClient db) {
        this.db = db;
    }

    /**
     * A user's own verdict beside the cohort's; stored if they differ.
     *
     * @param ofCohort {@link Verdict#NONE} for a user who is not joined
     */
    record OwnVerdict(LoggedEvent event, UserId user, Verdict verdict, Verdict ofCohort) {
        /** Whether the difference has to be stored. */
        boolean differs() {
            return verdict.notifies() != ofCohort.notifies()
                    || verdict.highlights() != ofCohort.highlights()
                    || (verdict.notifies() && !verdict.actions().equals(ofCohort.actions()));
        }

        private static int delta(boolean own, boolean ofCohort) {
            return (own ? 1 : 0) - (ofCohort ? 1 : 0);
        }
    }

    static GenericExecuteSpec bind(Columns<OwnVerdict> rows) {
        return rows.roomUsers(row -> new RoomUser(row.event.room(), row.user))
                .longs("positions", row -> row.event.pos())
                .ints("shards", row -> row.event.shard())
                .texts("threads", row -> row.event.thread())
                .texts("events", row -> row.event.meta().eventId().value())
                .texts("senders", row -> row.event.meta().sender().value())
                .longs("times", row -> row.event.meta().ts())
                .texts("actions", row -> ActionsText.write(row.verdict))
                .flags("notify", row -> row.verdict.notifies())
                .flags("highlights", row -> row.verdict.highlights())
                .ints("n", row -> OwnVerdict.delta(row.verdict.notifies(), row.ofCohort.notifies()))
                .ints("h", row -> OwnVerdict.delta(row.verdict.highlights(), row.ofCohort.highlights()))
                .statement();
    }

    /** Deletes the exceptions of redacted events. */
    Mono<Void> withdraw(List<RoomPosition> positions) {
        return RoomPosition.each(db, WITHDRAW, positions);
    }
}
