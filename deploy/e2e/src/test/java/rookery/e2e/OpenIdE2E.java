// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.running.Rookery;

/** What the server behind a widget asks, through the gateway (contract.md 13.10). */
@OnOneJvm
class OpenIdE2E {
    private static final String USERINFO = "/_matrix/federation/v1/openid/userinfo";

    private final Rookery rookery;

    OpenIdE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void tokenProvesToAWidgetWhoItsOwnerIsUntilTheDeviceIsLoggedOut() throws IOException {
        try (var http = rookery.http();
                var widget = Http.to(rookery.site().withPrefix(""));
                var other = Http.to(rookery.site(SharedRookery.SECOND_TENANT).withPrefix(""))) {
            var ada = People.newcomer(http, "ada");
            var token = ada.post("/v3/user/%s/openid/request_token".formatted(Paths.encoded(ada.userId())), Map.of())
                    .path("access_token")
                    .asString();

            assertThat(owner(widget, token).text()).isEqualTo("{\"sub\":\"%s\"}".formatted(ada.userId()));
            assertThat(owner(other, token).status()).isEqualTo(401);
            assertThat(owner(other, token).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(http.call("GET", "/v3/account/whoami", token, null).errcode())
                    .as("it is no access token")
                    .isEqualTo("M_UNKNOWN_TOKEN");
            assertThat(owner(widget, ada.token()).errcode())
                    .as("and an access token is none of these")
                    .isEqualTo("M_UNKNOWN_TOKEN");
            ada.logout();
            assertThat(owner(widget, token).errcode()).isEqualTo("M_UNKNOWN_TOKEN");
        }
    }

    private static Answer owner(Http http, String token) throws IOException {
        return http.call("GET", USERINFO + "?access_token=" + token, null, null);
    }
}
