// SPDX-License-Identifier: Apache-2.0
package rookery.room.membership;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.JsonBody;
import rookery.platform.http.ServiceClient;

/** Asks auth-service for the owners of third-party identifiers, such as e-mail addresses (contract.md 7.5, 8.2). */
@Component
public class AddressClient {
    private final ServiceClient services;

    AddressClient(ServiceClient services) {
        this.services = services;
    }

    /** The users who have bound the addresses; unbound addresses are skipped. */
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

    public record Address(String medium, String address) {
        /** The address in the fields {@code medium} and {@code address}; M_MISSING_PARAM, M_BAD_JSON. */
        public static Address of(JsonBody fields) {
            return new Address(fields.string("medium"), fields.string("address"));
        }

        @Override
        public String toString() {
            return medium; // addresses do not appear in logs
        }
    }

    record AddressQuery(TenantId tenant, List<Address> addresses) {}

    record AddressOwners(List<UserId> users) {}
}
