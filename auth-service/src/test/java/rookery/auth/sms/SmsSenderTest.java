// SPDX-License-Identifier: Apache-2.0
package rookery.auth.sms;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.client.ReactorResourceFactory;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.Tenants;

class SmsSenderTest {
    @Test
    void eachMessageIsAFileThatOnlyItsOwnerReads(@TempDir Path data) throws IOException {
        var resources = new ReactorResourceFactory();
        resources.afterPropertiesSet();
        var sender = new SmsSender(
                new SmsProperties(null, data.resolve("sms"), null, "{}", Duration.ofSeconds(8)),
                new Tenants(new TenantProperties(List.of(), null)),
                resources,
                new SimpleMeterRegistry(),
                Clock.systemUTC(),
                new Random(1));

        sender.send("447400123456", "Your code is 123456").block();
        sender.send("447400123456", "Your code is 654321").block();

        try (var files = Files.list(data.resolve("sms"))) {
            var all = files.toList();
            var texts = new ArrayList<String>();
            for (var file : all) {
                texts.add(Files.readString(file));
            }
            assertThat(texts)
                    .containsExactlyInAnyOrder(
                            "To: +447400123456\n\nYour code is 123456\n", "To: +447400123456\n\nYour code is 654321\n");
            assertThat(Files.getPosixFilePermissions(all.getFirst()))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
    }
}
