// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Limits of token look-ups at auth-service; gateway.yml explains the keys. */
@ConfigurationProperties("rookery.access-token.questions")
record QuestionProperties(
        @DefaultValue("64") int atOnce,
        @DefaultValue("10000") int waitingMax,
        @DefaultValue("10s") Duration waitMax) {
    /**
     * The maximum number of connections of the HTTP client to one instance; more concurrent questions would queue in the client,
     * beyond waiting-max.
     */
    private static final int CONNECTIONS = 500;

    QuestionProperties {
        if (atOnce < 1 || atOnce > CONNECTIONS) {
            throw new IllegalArgumentException("rookery.access-token.questions.at-once: set 1 to " + CONNECTIONS);
        }
        if (waitingMax < 0) {
            throw new IllegalArgumentException("rookery.access-token.questions.waiting-max: set 0 or more");
        }
        if (waitMax.toMillis() < 1) {
            throw new IllegalArgumentException("rookery.access-token.questions.wait-max: set a time such as 10s");
        }
    }
}
