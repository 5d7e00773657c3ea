// SPDX-License-Identifier: Apache-2.0
package rookery.auth.password;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Cost and limits of password checks; auth-service.yml explains every key. */
@ConfigurationProperties("rookery.auth.password")
public record PasswordProperties(
        @DefaultValue("19MB") DataSize memory,
        @DefaultValue("2") int iterations,
        @DefaultValue("1") int parallelism,
        @DefaultValue("0") int threads,
        @DefaultValue("50") int waitingMax,
        @DefaultValue("20") int failuresMax,
        @DefaultValue("100") int failuresOfAccountMax,
        @DefaultValue("50") int failuresOfAddressMax,
        @DefaultValue("30d") Duration networkKnownFor,
        @DefaultValue("15m") Duration failuresWindow) {
    int threadsUsed() {
        return threads > 0 ? threads : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
