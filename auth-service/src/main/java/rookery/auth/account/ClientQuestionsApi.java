package rookery.auth.account;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/** What clients ask for at their start and is not offered here (contract.md 13.6): nothing is said, and said well-formed. */
@RestController
class ClientQuestionsApi {
    /** There is no TURN server, so calls work where both sides reach each other. */
    @GetMapping("/_api/client/v3/voip/turnServer")
    Map<String, Object> turnServer() {
        return Map.of();
    }

    /** There are no bridges to other networks. */
    @GetMapping("/_api/client/v3/thirdparty/protocols")
    Map<String, Object> protocols() {
        return Map.of();
    }

    /** So nothing of other networks is found: M_NOT_FOUND. */
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
