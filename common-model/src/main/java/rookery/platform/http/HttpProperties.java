package rookery.platform.http;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How a service answers; every key is explained in platform.yml.
 *
 * @param longPollPaths paths that wait for something to happen, and end when their client goes away
 * @param answers bytes of the {@link AnswerBudget}; 0 for an eighth of the heap of the process
 */
@ConfigurationProperties("rookery.http")
record HttpProperties(
        @DefaultValue Set<String> longPollPaths,
        @DefaultValue("0") DataSize answers) {}
