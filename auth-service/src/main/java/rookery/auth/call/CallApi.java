// SPDX-License-Identifier: Apache-2.0
package rookery.auth.call;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Clock;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.auth.session.Discovery;
import rookery.model.caller.Caller;
import tools.jackson.databind.JsonNode;

/** The servers for calls of the caller's tenant (contract.md 13.6). */
@RestController
class CallApi {
    private final TurnProperties turn;
    private final Discovery discovery;
    private final Clock clock;

    CallApi(TurnProperties turn, Discovery discovery, Clock clock) {
        this.turn = turn;
        this.discovery = discovery;
        this.clock = clock;
    }

    /** Empty without a TURN server: calls between two users then work only if the clients reach each other directly. */
    @GetMapping("/_api/client/v3/voip/turnServer")
    Object turnServer(Caller caller) {
        var server = turn.of(caller.tenant());
        return server == null ? Map.of() : TurnCredentials.of(server, caller.user(), clock.instant());
    }

    @GetMapping({"/_api/client/v1/rtc/transports", "/_api/client/unstable/org.matrix.msc4143/rtc/transports"})
    Transports transports(Caller caller) {
        var transports = discovery.transports(caller.tenant());
        return new Transports(transports, transports);
    }

    /** Both names of the list, since clients differ: the proposal's earlier one and the present one. */
    record Transports(@JsonProperty("rtc_transports") JsonNode rtcTransports, JsonNode transports) {}
}
