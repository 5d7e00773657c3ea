// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpMethod;
import rookery.gateway.routing.Destination.Kind;
import rookery.gateway.routing.Destination.Service;

class LoadTest {
    @ParameterizedTest
    @CsvSource({
        "GET,  HEAVY,     ,                            READ",
        "HEAD, HEAVY,     ,                            READ",
        "POST, HEAVY,     ,                            READ",
        "PUT,  HEAVY,     ,                            LIGHT",
        "GET,  DOWNLOAD,  ,                            DOWNLOAD",
        "GET,  MEDIA,     ,                            LIGHT",
        "GET,  REQUEST,   ,                            LIGHT",
        "GET,  LONG_POLL, ,                            READ",
        "GET,  LONG_POLL, timeout=30000,               READ",
        "GET,  LONG_POLL, since=,                      READ",
        "GET,  LONG_POLL, timeout=30000&since=s1,      LIGHT",
        "GET,  LONG_POLL, since=s1&full_state=true,    READ",
        "GET,  LONG_POLL, since=s1&full_state=false,   LIGHT",
        "GET,  LONG_POLL, not_since=s1,                READ",
        "POST, LONG_POLL, ,                            LIGHT",
        "POST, UPLOAD,    ,                            UPLOAD",
        "PUT,  UPLOAD,    ,                            UPLOAD"
    })
    void methodPathAndQueryTellIt(String method, Kind kind, String query, Load load) {
        assertThat(Load.of(HttpMethod.valueOf(method), new Service("", "/v3/any", null, kind, false), query))
                .isEqualTo(load);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /_api/client/v3/login,            PASSWORD, true",
        "GET,  /_api/client/v3/login,            LIGHT,    false",
        "POST, /_api/client/v3/account/password, PASSWORD, true",
        "POST, /_api/client/v3/logout,           LIGHT,    false"
    })
    void aPasswordIsCostly(String method, String path, Load load, boolean isCostly) {
        var found = Load.of(HttpMethod.valueOf(method), new Service("", path, null, Kind.REQUEST, false), null);
        assertThat(found).isEqualTo(load);
        assertThat(found.isCostly()).isEqualTo(isCostly);
    }
}
