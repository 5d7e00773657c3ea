// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.model.id.ServerName;
import rookery.program.Complaint;
import rookery.program.Program;

class OptionsTest {
    private static final Path DATA = Path.of("/somewhere/data");

    @Test
    void nothingSaidIsOneJvmOnTheUsualPort() {
        var options = parse();

        assertThat(options.port).isEqualTo(8008);
        assertThat(options.data).isEqualTo(DATA);
        assertThat(options.serverName).isEqualTo(new ServerName("localhost"));
        assertThat(options.maxRequests).isEqualTo(100);
        assertThat(options.listen.isLoopbackAddress()).isTrue();
        assertThat(options.pushToPrivate).isFalse();
        assertThat(options.isCluster()).isFalse();
        assertThat(options.fresh).isFalse();
    }

    @Test
    void everyOptionIsUnderstoodInBothForms() {
        var options = parse(
                "--port",
                "9000",
                "--data=/elsewhere",
                "--fresh",
                "--server-name",
                "chat.example",
                "--listen=0.0.0.0",
                "--push-to-private",
                "--public-url=https://chat.example",
                "--max-requests=5000");

        assertThat(options.port).isEqualTo(9000);
        assertThat(options.data).isEqualTo(Path.of("/elsewhere"));
        assertThat(options.fresh).isTrue();
        assertThat(options.serverName).isEqualTo(new ServerName("chat.example"));
        assertThat(options.maxRequests).isEqualTo(5000);
        assertThat(options.listen.isAnyLocalAddress()).isTrue();
        assertThat(options.pushToPrivate).isTrue();
        assertThat(options.publicUrl).isEqualTo(URI.create("https://chat.example"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chat.example", "ftp://chat.example", "https:///path"})
    void aPublicUrlHasASchemeAndAHost(String url) {
        assertThatThrownBy(() -> parse("--public-url", url))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("--public-url needs a URL such as https://chat.example");
    }

    @Test
    void aRunThatThereIsCanBeAskedForOneThingAtATime() {
        assertThat(parse().request).isNull();
        assertThat(parse("--add=sync").request).isEqualTo(new ControlRequest(ControlRequest.Verb.ADD, "sync"));
        assertThat(parse("--kill", "kafka-1").request)
                .isEqualTo(new ControlRequest(ControlRequest.Verb.KILL, "kafka-1"));
        assertThatThrownBy(() -> parse("--add=sync", "--stop=sync-service-2"))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("at a time");
        assertThatThrownBy(() -> parse("--stop", "../kafka-1")).isInstanceOf(Complaint.class);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,127.0.0.1",
        "0.0.0.0,127.0.0.1",
        "::,127.0.0.1",
        "192.0.2.1,192.0.2.1",
        "::1,[::1]",
        "2001:db8::1,[2001:db8::1]"
    })
    void gatewaysAreReachedWhereTheyListen(String listen, String host) {
        assertThat(Placement.of(parse("--listen", listen, "--port=9100")))
                .filteredOn(place -> place.service() == Service.GATEWAY)
                .extracting(Placement::address)
                .containsExactly(host + ":9100");
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(Options.helpText())
                .contains(Program.commandLine(parse())
                        .getCommandSpec()
                        .optionsMap()
                        .keySet())
                .contains("--build");
    }

    @Test
    void clusterCountsAreBySmallOrFullNameAndOneForTheOthers() {
        var options = parse("--cluster", "gateway=2,room=3,sync-service=2");

        assertThat(options.count(Service.GATEWAY)).isEqualTo(2);
        assertThat(options.count(Service.ROOM)).isEqualTo(3);
        assertThat(options.count(Service.SYNC)).isEqualTo(2);
        assertThat(options.count(Service.AUTH)).isEqualTo(1);
        assertThat(Placement.of(options))
                .extracting(Placement::name)
                .hasSize(11)
                .contains("gateway-2", "room-service-3");
    }

    @Test
    void gatewaysTakeThePortsFromThePublicOneUp() {
        assertThat(Placement.of(parse("--port", "9100", "--cluster", "gateway=2")))
                .filteredOn(place -> place.service() == Service.GATEWAY)
                .extracting(Placement::port)
                .containsExactly(9100, 9101);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--prot",
                "extra",
                "--port",
                "--port=0",
                "--port=65536",
                "--port=http",
                "--listen=chat.example",
                "--listen=",
                "--max-requests=0",
                "--data=",
                "--server-name=a b",
                "--server-name=",
                "--cluster=room",
                "--cluster=rum=2",
                "--cluster=room=0",
                "--cluster=room=x",
                "--cluster=",
                "--tenant=localhost",
                "--tenant=a b",
                "--fresh=yes"
            })
    void whatIsWrongIsSaidInOneLine(String argument) {
        assertThatThrownBy(() -> parse(argument))
                .isInstanceOfSatisfying(
                        Complaint.class,
                        complaint -> assertThat(complaint.exitValue()).isEqualTo(2))
                .message()
                .isNotBlank()
                .doesNotContain("\n");
    }

    /** As the JVM shows a name with an umlaut under {@code LANG=C}. */
    @Test
    void aFolderThatTheLocaleCannotWriteIsRefusedWithTheReason() {
        assertThatThrownBy(() -> parse("--data=/srv/b\ufffd\ufffdro"))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("/srv/b\ufffd\ufffdro has letters that the locale")
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }

    @ParameterizedTest
    @CsvSource({"65535,1,true", "65535,2,false", "65520,16,true"})
    void portsOfAllGatewaysMustExist(int port, int gateways, boolean fits) {
        try {
            parse("--port=" + port, "--cluster=gateway=" + gateways);
            assertThat(fits).isTrue();
        } catch (Complaint e) {
            assertThat(fits).as(e.getMessage()).isFalse();
        }
    }

    private static Options parse(String... arguments) {
        return Options.parse(List.of(arguments), DATA);
    }
}
