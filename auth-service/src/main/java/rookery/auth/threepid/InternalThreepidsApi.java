// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

import java.util.List;
import java.util.Objects;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Bound addresses (contract.md 7.5) for room-service's invitations by address. Other addresses yield no user. */
@RestController
class InternalThreepidsApi {
    private final Threepids threepids;

    InternalThreepidsApi(Threepids threepids) {
        this.threepids = threepids;
    }

    @Callers(ServiceName.ROOM)
    @PostMapping("/internal/threepids/bound")
    Mono<BoundAnswer> bound(@RequestBody BoundRequest request) {
        var canonical = request.addresses.stream()
                .map(address -> Addresses.find(address.medium, address.address))
                .filter(Objects::nonNull)
                .toList();
        return threepids.bound(request.tenant, canonical).collectList().map(BoundAnswer::new);
    }

    record BoundRequest(TenantId tenant, List<Address> addresses) {}

    /** An address as sent by the client. */
    record Address(String medium, String address) {}

    record BoundAnswer(List<UserId> users) {}
}
