package rookery.gateway.authentication;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How many tokens auth-service is asked about; every key is explained in gateway.yml. */
@ConfigurationProperties("rookery.access-token.questions")
record QuestionProperties(
        @DefaultValue("64") int atOnce,
        @DefaultValue("10000") int waitingMax,
        @DefaultValue("10s") Duration waitMax) {
    /** The connections that the client keeps to one instance of a service; more questions would wait where nobody counts them. */
    private static final int CONNECTIONS = 500;

    /** IllegalArgumentException says what to change. */
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
