// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.json.JsonMapper;

/** Requests to the API of operators (contract.md 20). */
record OperatorCalls(Rookery rookery) {
    /** @param path below {@code /operator/v1} */
    Answer call(String method, String path, Map<String, ?> body) throws IOException {
        return call(method, path, body, Map.of());
    }

    Answer call(String method, String path, Map<String, ?> body, Map<String, String> headers) throws IOException {
        var access = rookery.operator();
        var all = new HashMap<>(headers);
        all.put("Authorization", "Bearer " + access.token());
        all.put("Content-Type", "application/json");
        try (var http = Http.to(TenantAddress.at(access.base(), "/operator/v1"))) {
            return http.raw(method, path, all, JsonMapper.shared().writeValueAsString(body));
        }
    }
}
