package rookery.auth.account;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

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
}
