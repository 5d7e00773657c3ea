package rookery.platform.health;

import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * One thing a service needs to do its work; a bean of the service that needs it.
 *
 * @param name as the contract calls it: {@code database}, {@code migrations}, {@code queue}, {@code media} (contract.md 4)
 * @param required whether the service is not ready without it; otherwise it works on, slower, and says {@code degraded}
 * @param check completes when the thing is there, and fails when it is not
 */
public record ReadinessCheck(String name, boolean required, Mono<Void> check) {
    /** Whether the database answers. */
    public static ReadinessCheck database(DatabaseClient db) {
        return new ReadinessCheck("database", true, db.sql("SELECT 1").then());
    }
}
