// SPDX-License-Identifier: Apache-2.0
package rookery.push.count;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.push.OwnRules;
import rookery.platform.push.PushRules;
import rookery.platform.sql.Portions;
import rookery.platform.sql.RequiredColumn;
import rookery.push.Columns;

/**
 * The table of cohorts with their rules. A cohort is the members of a room for whom the push rules give the same result for most
 * events, so that one count serves all: they share the rules of {@link OwnRules#cohort}, and the result is the same for every
 * event that matches none of a member's other rules. The id is a hash of the shared rules, which thus have the same id in every
 * room and on every instance.
 */
@Component
public class Cohorts {
    /** The cohort of unchanged default rules. */
    static final long UNTOUCHED = 0;

    private static final String ADD = """
            INSERT INTO push.cohort (tenant, id, rules) SELECT * FROM unnest(:tenants::int[], :ids::bigint[], :rules::text[])
                ON CONFLICT DO NOTHING
            """;

    private static final String FIND = """
            SELECT c.tenant, c.id, c.rules
              FROM unnest(:tenants::int[], :ids::bigint[]) AS k (tenant, id)
              JOIN push.cohort c ON c.tenant = k.tenant AND c.id = k.id
            """;

    private static final String CLEAN = """
            DELETE FROM push.cohort c
             WHERE NOT EXISTS (SELECT 1 FROM push.room_cohort r WHERE r.tenant = c.tenant AND r.cohort = c.id)
            """;

    private static final PushRules DEFAULT = OwnRules.ofCohort("");

    private final DatabaseClient db;
    private final CompiledCohorts compiled = new CompiledCohorts();

    Cohorts(DatabaseClient db) {
        this.db = db;
    }

    record CohortKey(TenantId tenant, long id) {}

    /** A cohort with the text of its rules. */
    record NamedCohort(CohortKey key, String text) {
        static NamedCohort of(TenantId tenant, String text) {
            return new NamedCohort(new CohortKey(tenant, id(text)), text);
        }

        boolean isUntouched() {
            return key.id == UNTOUCHED;
        }
    }

    private static long id(String text) {
        if (text.isEmpty()) {
            return UNTOUCHED;
        }
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            long id = ByteBuffer.wrap(hash).getLong();
            return id == UNTOUCHED ? 1 : id;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }

    /** Adds cohorts before members move there. */
    Mono<Void> add(Collection<NamedCohort> cohorts) {
        var touched = new HashSet<>(cohorts);
        touched.removeIf(NamedCohort::isUntouched);
        return Portions.each(
                List.copyOf(touched),
                portion -> Columns.of(db.sql(ADD), portion)
                        .ints("tenants", cohort -> cohort.key.tenant.value())
                        .longs("ids", cohort -> cohort.key.id)
                        .texts("rules", NamedCohort::text)
                        .then());
    }

    /** The parsed rules of cohorts, to be evaluated with {@link OwnRules#anybody}. */
    Mono<Map<CohortKey, PushRules>> rules(Collection<CohortKey> keys) {
        var rules = new HashMap<CohortKey, PushRules>();
        var unknown = new HashSet<CohortKey>();
        for (var key : keys) {
            var parsed = key.id == UNTOUCHED ? DEFAULT : compiled.ifKept(key);
            if (parsed == null) {
                unknown.add(key);
            } else {
                rules.put(key, parsed);
            }
        }
        return unknown.isEmpty() ? Mono.just(rules) : read(unknown, rules);
    }

    private Mono<Map<CohortKey, PushRules>> read(Collection<CohortKey> unknown, Map<CohortKey, PushRules> rules) {
        return Columns.of(db.sql(FIND), unknown)
                .ints("tenants", key -> key.tenant.value())
                .longs("ids", CohortKey::id)
                .statement()
                .map(row -> new NamedCohort(
                        new CohortKey(
                                RequiredColumn.of(row, "tenant", TenantId.class),
                                RequiredColumn.of(row, "id", Long.class)),
                        RequiredColumn.of(row, "rules", String.class)))
                .all()
                .collectList()
                .map(cohorts -> {
                    cohorts.forEach(cohort -> rules.put(cohort.key, compiled.of(cohort)));
                    return rules;
                });
    }

    /** Deletes cohorts without members; requires the {@link BatchBarrier}. */
    public Mono<Long> clean() {
        return db.sql(CLEAN).fetch().rowsUpdated();
    }
}
