// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import rookery.platform.ratelimit.Cidr;

class ClientAddressesTest {
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ClientAddresses addresses =
            new ClientAddresses(new ClientAddressProperties(List.of("10.0.0.0/8", "fd00::/8")), meters);

    @Test
    void whatAnUntrustedPeerForwardsIsNotBelieved() {
        assertThat(client("192.0.2.7", "198.51.100.1")).isEqualTo("192.0.2.7");
    }

    @Test
    void theRightMostUntrustedAddressIsTheClient() {
        assertThat(client("10.0.0.1", "203.0.113.9, 198.51.100.1, 10.2.2.2")).isEqualTo("198.51.100.1");
        assertThat(client("10.0.0.1", "203.0.113.9", "198.51.100.1", "10.2.2.2"))
                .isEqualTo("198.51.100.1");
    }

    @Test
    void withoutTheHeaderAProxyIsTheClient() {
        assertThat(client("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(client("10.0.0.1", "10.3.3.3")).isEqualTo("10.3.3.3");
    }

    @Test
    void whatStandsLeftOfNonsenseIsNotBelieved() {
        assertThat(client("10.0.0.1", "198.51.100.1, unknown, 10.2.2.2")).isEqualTo("10.2.2.2");
        assertThat(client("10.0.0.1", "198.51.100.1,")).isEqualTo("10.0.0.1");
        assertThat(client("10.0.0.1", "example.org")).isEqualTo("10.0.0.1");
    }

    @Test
    void whatIsNotBelievedIsCountedAndSaidOnce() {
        var lines = new ListAppender<ILoggingEvent>();
        var logger = (Logger) LoggerFactory.getLogger(ClientAddresses.class);
        lines.start();
        logger.addAppender(lines);

        client("192.0.2.7", "198.51.100.1"); // a proxy that nobody has named
        client("10.0.0.1", "198.51.100.1, 192.0.2.7"); // the same behind a trusted one
        logger.detachAppender(lines);

        assertThat(meters.counter("gateway_forwarded_ignored").count()).isEqualTo(2);
        assertThat(lines.list)
                .singleElement()
                .satisfies(line -> assertThat(line.getKeyValuePairs())
                        .extracting(pair -> String.valueOf(pair.value))
                        .anyMatch(text -> text.equals("192.0.2.7"))
                        .anyMatch(text -> text.contains("rookery.client-address.trusted-proxies")));
    }

    @Test
    void whatIsBelievedIsNotCounted() {
        client("192.0.2.7");
        client("10.0.0.1");
        client("10.0.0.1", "198.51.100.1, 10.2.2.2");

        assertThat(meters.counter("gateway_forwarded_ignored").count()).isZero();
    }

    @Test
    void portsAreLeftOff() {
        assertThat(client("10.0.0.1", "198.51.100.1:4711")).isEqualTo("198.51.100.1");
        assertThat(client("fd00::1", "[2001:db8::5]:443")).isEqualTo("2001:db8::5");
    }

    @Test
    void ipv6IsCountedBySixtyFourBitsAndIpv4ByAddress() {
        assertThat(counted("2001:db8:1:2::5")).isEqualTo(counted("2001:db8:1:2:ffff::9"));
        assertThat(counted("2001:db8:1:2::5")).isNotEqualTo(counted("2001:db8:1:3::5"));
        assertThat(counted("192.0.2.7")).isNotEqualTo(counted("192.0.2.8"));
        assertThat(counted("::ffff:192.0.2.7")).isEqualTo(counted("192.0.2.7"));
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.0.0/16, 10.1.255.255, true",
        "10.1.0.0/16, 10.2.0.0, false",
        "10.1.128.0/17, 10.1.127.0, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "0.0.0.0/0, 203.0.113.1, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
    })
    void aNetworkHoldsItsAddresses(String network, String address, boolean contained) {
        assertThat(Cidr.parse(network).contains(of(address))).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.org", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "", "/8"})
    void whatIsNoNetworkStopsTheStart(String text) {
        assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private String client(String peer, String... forwardedFor) {
        return addresses
                .of(new InetSocketAddress(of(peer), 1), List.of(forwardedFor))
                .text();
    }

    private static String counted(String address) {
        return new ClientAddress(of(address)).counted();
    }

    private static InetAddress of(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
