package rookery.room.membership;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;

/** Asks auth-service who is found by an e-mail address or a phone number. */
@Component
class AddressClient {
    private final ServiceClient services;

    AddressClient(ServiceClient services) {
        this.services = services;
    }

    /** M_THREEPID_NOT_FOUND if nobody is. */
    Mono<UserId> owner(TenantId tenant, String medium, String address) {
        var asked = new Asked(tenant, medium, address);
        return services.post("auth-service", address, "/internal/threepids/bound", asked, Found.class)
                .map(Found::userId);
    }

    record Asked(TenantId tenant, String medium, String address) {}

    record Found(@JsonProperty("user_id") UserId userId) {}
}
