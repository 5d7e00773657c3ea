// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Settings of the console; {@code admin-service.yml} explains the keys. */
@ConfigurationProperties("rookery.admin.console")
record ConsoleProperties(@DefaultValue("12h") Duration sessionMax) {}
