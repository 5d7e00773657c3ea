// SPDX-License-Identifier: Apache-2.0
package rookery.platform.instance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DnsInstancesTest {
    @Test
    void addressesOfANameAreInstances() {
        assertThat(new DnsInstances(9090).find("room-service", "127.0.0.1:8080"))
                .containsExactly(new Instance("room-service-127.0.0.1", "127.0.0.1:8080", "127.0.0.1:9090"));
        assertThat(new DnsInstances(null).find("room-service", "::1:8080"))
                .containsExactly(new Instance("room-service-[0:0:0:0:0:0:0:1]", "[0:0:0:0:0:0:0:1]:8080", null));
    }

    @Test
    void nameThatNobodyKnowsKeepsWhatItHad() {
        var dns = new DnsInstances(null);
        assertThat(dns.find("room-service", "room-service.invalid:8080")).isEmpty();
        var before = dns.find("room-service", "localhost:8080");
        assertThat(before).isNotEmpty();
        assertThat(dns.find("room-service", "room-service.invalid:8080")).isEqualTo(before);
    }
}
