// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;
import rookery.platform.instance.OwnInstanceProperties;

/**
 * Blocks the first use of the database until the configured tenants match the tenants of its data (design.md 7): nothing is
 * served, followed or derived before. Waits for a database that is not up yet.
 */
@Component
final class TenantCheck implements BeanPostProcessor {
    private static final Logger log = LoggerFactory.getLogger(TenantCheck.class);
    /** The service with the registry itself. */
    private static final String REGISTRY = "admin-service";

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int ATTEMPTS_OF_A_COMPLAINT = 30;

    private final ObjectProvider<Tenants> tenants;
    private final ObjectProvider<OwnInstanceProperties> own;

    TenantCheck(ObjectProvider<Tenants> tenants, ObjectProvider<OwnInstanceProperties> own) {
        this.tenants = tenants;
        this.own = own;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof DatabaseClient db) {
            check(db);
        }
        return bean;
    }

    private void check(DatabaseClient db) {
        var served = tenants.getObject();
        var names = new TenantNames(db, own.getObject().service());
        var register = names.bound(served.all())
                .retryWhen(untilItAnswers())
                .blockOptional()
                .orElseThrow();
        if (!own.getObject().service().equals(REGISTRY)) {
            names.copy().retryWhen(untilItAnswers()).blockOptional().ifPresent(served::install);
        }
        var unserved = register.unserved(served.all());
        if (!unserved.isEmpty()) {
            log.atWarn()
                    .addKeyValue("tenants", unserved)
                    .log(
                            "tenants of the data that are neither in rookery.tenants nor in the registry are not served; their data stay");
        }
    }

    private static RetryBackoffSpec untilItAnswers() {
        return Retry.fixedDelay(Long.MAX_VALUE, PAUSE)
                .filter(failure -> !(failure instanceof TenantsRefusedException))
                .doBeforeRetry(attempt -> complain(attempt.totalRetries(), attempt.failure()));
    }

    private static void complain(long attempts, Throwable failure) {
        if (attempts % ATTEMPTS_OF_A_COMPLAINT == 0) {
            log.atWarn()
                    .addKeyValue(
                            "cause",
                            NestedExceptionUtils.getMostSpecificCause(failure).toString())
                    .log("the tenants of the database cannot be read yet: retrying every second");
        }
    }
}
