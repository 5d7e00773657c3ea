// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * One dependency of a service; a bean of the service.
 *
 * @param name the name in contract.md 4: {@code database}, {@code migrations}, {@code queue}, {@code media}
 * @param required whether the service is not ready without the dependency; otherwise the service works on, slower, and reports
 *     {@code degraded}
 * @param check completes if the dependency works, and fails if not
 */
public record ReadinessCheck(String name, boolean required, Mono<Void> check) {
    public static ReadinessCheck database(DatabaseClient db) {
        return new ReadinessCheck("database", true, db.sql("SELECT 1").then());
    }
}
