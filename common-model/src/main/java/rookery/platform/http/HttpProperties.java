// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of responses; every key is explained in platform.yml.
 *
 * @param longPollPaths paths of long polls, which end when their client disconnects
 * @param answers bytes of the {@link AnswerBudget}; 0 for an eighth of the heap
 */
@ConfigurationProperties("rookery.http")
record HttpProperties(
        @DefaultValue Set<String> longPollPaths,
        @DefaultValue("0") DataSize answers) {}
