package rookery.auth.session;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** Where clients connect to, for who knows only the tenant's name (contract.md 3.5); M_NOT_FOUND where that is not configured. */
@RestController
@Access(Level.NONE)
class DiscoveryApi {
    private final DiscoveryProperties properties;

    DiscoveryApi(DiscoveryProperties properties) {
        this.properties = properties;
    }

    @GetMapping("/.well-known/matrix/client")
    WellKnown client(Caller caller) {
        var wellKnown = properties.of(caller.tenant());
        if (wellKnown == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "clients are not told where to connect");
        }
        return wellKnown;
    }
}
