package rookery.room.membership;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceClient;

/** Asks auth-service who can be found by an address (contract.md 7.5, 8.2). */
@Component
public class AddressClient {
    private final ServiceClient services;

    AddressClient(ServiceClient services) {
        this.services = services;
    }

    /** Who has bound one of the addresses; addresses that nobody has bound are passed over. */
    public Mono<List<UserId>> find(TenantId tenant, List<Address> addresses) {
        return addresses.isEmpty()
                ? Mono.just(List.of())
                : services.post(
                                "auth-service",
                                addresses.getFirst().address,
                                "/internal/threepids/bound",
                                new AddressQuery(tenant, addresses),
                                AddressOwners.class)
                        .map(AddressOwners::users);
    }

    /** An address as a client has written it. */
    public record Address(String medium, String address) {
        /** The address in the fields {@code medium} and {@code address}; M_MISSING_PARAM, M_BAD_JSON. */
        public static Address of(JsonBody fields) {
            return new Address(fields.string("medium"), fields.string("address"));
        }

        @Override
        public String toString() {
            return medium; // an address is nobody's business in a log
        }
    }

    record AddressQuery(TenantId tenant, List<Address> addresses) {}

    record AddressOwners(List<UserId> users) {}
}
