// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.model.id.ServerName;
import tools.jackson.databind.json.JsonMapper;

/** What a person reads when all is ready, and who is warned. */
class GreetingTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1,http://localhost:8008",
        "0.0.0.0,http://localhost:8008",
        "::,http://localhost:8008",
        "::1,http://[::1]:8008",
        "192.0.2.1,http://192.0.2.1:8008"
    })
    void theFirstLineHasAnAddressThatLeadsThere(String listen, String url) {
        assertThat(greeting(List.of(), "--listen", listen)).startsWith("ready " + url + "\n");
    }

    @Test
    void openRegistrationIsWarnedOf() {
        assertThat(greeting(List.of(new ServerName("chat.example")), "--listen=0.0.0.0"))
                .contains("WARNING     whoever reaches this machine can make an account at chat.example")
                .contains("ROOKERY_AUTH_REGISTRATION_MODE=token");
        assertThat(greeting(List.of(), "--listen=0.0.0.0")).doesNotContain("WARNING");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"flows": [{"stages": ["m.login.dummy"]}]} | true
                    {"flows": [{"stages": ["m.login.registration_token"]}, {"stages": ["m.login.dummy", "m.login.terms"]}]} | true
                    {"flows": [{"stages": ["m.login.registration_token", "m.login.terms"]}]} | false
                    {"flows": [{"stages": ["m.login.email.identity"]}]} | false
                    {"errcode": "M_FORBIDDEN"} | false
                    """)
    void registrationIsOpenWhereItWantsNothing(String answer, boolean isOpen) {
        assertThat(OpenRegistration.isOpen(JsonMapper.shared().readTree(answer)))
                .isEqualTo(isOpen);
    }

    @Test
    void whereAProxyIsReachedIsSaid() {
        assertThat(greeting(List.of(), "--public-url", "https://chat.example"))
                .contains("by the proxy on this machine, at https://chat.example");
    }

    @Test
    void helpNamesWhatHasNoOption() {
        assertThat(Options.helpText())
                .contains(
                        "ROOKERY_AUTH_REGISTRATION_MODE",
                        "ROOKERY_CLIENTADDRESS_TRUSTEDPROXIES_0",
                        "SPRING_MAIL_HOST",
                        "TLS",
                        "ROOKERY_ROOM_MEDIA_SERVESWITHOUTTOKEN",
                        "ROOKERY_ACCESSTOKEN_INQUERY");
    }

    private static String greeting(List<ServerName> open, String... words) {
        return Greeting.text(Options.parse(List.of(words), Path.of("/data")), List.of(), open, 1);
    }
}
