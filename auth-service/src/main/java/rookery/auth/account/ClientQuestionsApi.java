// SPDX-License-Identifier: Apache-2.0
package rookery.auth.account;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** Well-formed empty answers for features that clients look for at startup and Rookery does not offer (contract.md 13.6). */
@RestController
class ClientQuestionsApi {
    /** There are no bridges to other networks. */
    @GetMapping("/_api/client/v3/thirdparty/protocols")
    Map<String, Object> protocols() {
        return Map.of();
    }

    /** M_NOT_FOUND for every third-party protocol. */
    @GetMapping({
        "/_api/client/v3/thirdparty/protocol/{protocol}",
        "/_api/client/v3/thirdparty/location/{protocol}",
        "/_api/client/v3/thirdparty/user/{protocol}"
    })
    Map<String, Object> ofProtocol() {
        throw unknown();
    }

    /** M_MISSING_PARAM without an alias. */
    @GetMapping("/_api/client/v3/thirdparty/location")
    Map<String, Object> ofAlias(@RequestParam String alias) {
        throw unknown();
    }

    /** M_MISSING_PARAM without a user ID. */
    @GetMapping("/_api/client/v3/thirdparty/user")
    Map<String, Object> ofUser(@RequestParam String userid) {
        throw unknown();
    }

    private static ApiException unknown() {
        return new ApiException(ErrorCode.M_NOT_FOUND, "there are no bridges to other networks");
    }
}
