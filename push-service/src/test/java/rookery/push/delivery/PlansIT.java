// SPDX-License-Identifier: Apache-2.0
package rookery.push.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The indexes of {@code push.unit} and {@code push.deferred_event} that statements read, with statistics from a moment without pending units, and with none: the plans
 * that a burst of pushes after a quiet time meets.
 */
class PlansIT {
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-zA-Z]+)");
    private static final Pattern INDEX = Pattern.compile("(unit|deferred_event)_[a-z_]+");

    @RegisterExtension
    static final PushWorld world = new PushWorld(1);

    @BeforeEach
    void planner() {
        // JDBC itself sends no statement whose parameters have no values
        world.database.execute("""
                CREATE OR REPLACE FUNCTION push.plan(statement text) RETURNS SETOF text LANGUAGE plpgsql AS
                $$ BEGIN RETURN QUERY EXECUTE 'EXPLAIN (GENERIC_PLAN) ' || statement; END $$
                """);
    }

    static Stream<Arguments> statements() {
        return Stream.of(
                Arguments.of(DeliveryCleaner.END, "unit_waiting"),
                Arguments.of(DeliveryCleaner.HASTEN, "unit_waiting"),
                Arguments.of(DeliveryCleaner.OLDEST, "unit_waiting deferred_event_age"),
                Arguments.of(UnitQueue.LANES, "unit_due"),
                Arguments.of(UnitQueue.LANES_BELOW, "unit_due"),
                Arguments.of(UnitQueue.TAKE, "unit_due unit_pkey"),
                Arguments.of(UnitQueue.NOTE, "unit_pkey"),
                Arguments.of(UnitQueue.DROP_OF_PUSHER, "unit_of_pusher unit_pkey"),
                Arguments.of(Units.COALESCE, "unit_of_event_once unit_of_pusher unit_pkey"),
                Arguments.of(Units.SUPERSEDE_EVENT, "unit_of_event_once"),
                Arguments.of(Units.SUPERSEDE_READ, "unit_of_user unit_pkey"),
                Arguments.of(Units.SUPERSEDE_USER, "unit_of_user"),
                Arguments.of(DeferredEvents.WAITING, "deferred_event_pkey"),
                Arguments.of(DeferredEvents.WAITING_OF, "deferred_event_pkey"),
                Arguments.of(DeferredEvents.NEXT, "deferred_event_pkey"),
                Arguments.of(DeferredEvents.RELEASE, "deferred_event_pkey unit_of_event_once"),
                Arguments.of(DeferredEvents.LOCK_ROOMS, "deferred_event_in_room"),
                Arguments.of(DeferredEvents.FORGET, "deferred_event_of_event"));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void statementReadsTheIndexThatNamesItsRows(String statement, String indexes) {
        world.database.execute("""
                INSERT INTO push.unit (tenant, pusher, event_id, room_id, pos, user_id, app_id, pushkey_hash, gateway, tweaks,
                                       user_is_target, coalesces, created_at, outcome, due_at)
                SELECT 1, i % 50, '$' || i, '!' || i % 10, i, '@' || i % 50, 'app', 'hash', 'https://push.example', '', false, false,
                       now(), 'delivered', now()
                  FROM generate_series(1, 20000) AS i
                """, """
                INSERT INTO push.deferred_event (tenant, event_id, room_id, pos, ts, told, users, tweaks, targets, coalesces,
                                                 recipients, coalescing, created_at)
                SELECT 1, '$' || i, '!' || i % 10, i, 0, '', '{@ada}', '{}', '{false}', '{false}', 1, false, now()
                  FROM generate_series(1, 20000) AS i
                """, "ANALYZE push.unit", "ANALYZE push.deferred_event");
        var plan = plan(statement);
        assertThat(indexesOf(plan)).as(String.join("\n", plan)).containsExactlyInAnyOrder(indexes.split(" "));
    }

    /** The whole table is read as well, which has some units only until autovacuum comes. */
    @ParameterizedTest
    @MethodSource("statements")
    void statementOfANewTableReadsNoOtherIndex(String statement, String indexes) {
        world.database.execute("TRUNCATE push.unit", "TRUNCATE push.deferred_event");
        var plan = plan(statement);
        assertThat(indexesOf(plan)).as(String.join("\n", plan)).isSubsetOf(indexes.split(" "));
    }

    private static List<String> plan(String statement) {
        var names = new ArrayList<String>();
        var numbered = PARAMETER.matcher(statement).replaceAll(parameter -> {
            var name = parameter.group(1);
            if (!names.contains(name)) {
                names.add(name);
            }
            return "\\$" + (names.indexOf(name) + 1);
        });

        return world.query("SELECT push.plan($rookery$%s$rookery$)".formatted(numbered));
    }

    private static Set<String> indexesOf(List<String> plan) {
        var found = new TreeSet<String>();
        plan.forEach(line -> INDEX.matcher(line).results().forEach(index -> found.add(index.group())));
        return found;
    }
}
