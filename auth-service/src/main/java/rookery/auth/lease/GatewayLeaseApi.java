// SPDX-License-Identifier: Apache-2.0
package rookery.auth.lease;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.lease.GatewayLeases.OpenLease;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** Leases of gateways (decision 0028). */
@RestController
@Callers(ServiceName.GATEWAY)
class GatewayLeaseApi {
    private final GatewayLeases leases;
    private final GatewayNotices notices;

    GatewayLeaseApi(GatewayLeases leases, GatewayNotices notices) {
        this.leases = leases;
        this.notices = notices;
    }

    /** Grants a new lease if the gateway answers at its address. */
    @PostMapping("/internal/gateway-leases/begin")
    Mono<LeaseAnswer> begin(@RequestBody BeginRequest request, ServerHttpRequest from) {
        String address = request.address == null ? address(from.getRemoteAddress(), request.port) : request.address;
        return notices.isReached(new OpenLease(request.id, address))
                .flatMap(reached -> reached ? leases.begin(request.id, address) : Mono.just(false))
                .map(LeaseAnswer::new);
    }

    @PostMapping("/internal/gateway-leases/renew")
    Mono<LeaseAnswer> renew(@RequestBody LeaseRequest request) {
        return leases.renew(request.id).map(LeaseAnswer::new);
    }

    @PostMapping("/internal/gateway-leases/end")
    Mono<LeaseAnswer> end(@RequestBody LeaseRequest request) {
        return leases.end(request.id).thenReturn(new LeaseAnswer(false));
    }

    private static String address(@Nullable InetSocketAddress peer, int port) {
        if (peer == null || peer.getAddress() == null) {
            return "unknown.invalid:" + port;
        }
        String host = peer.getAddress().getHostAddress();
        return (peer.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * @param address of the gateway, {@code host:port}; null for the address of the connection
     * @param port of the gateway, if the address is null
     */
    record BeginRequest(
            @JsonProperty("lease_id") String id, @Nullable String address, int port) {}

    record LeaseRequest(@JsonProperty("lease_id") String id) {}

    record LeaseAnswer(boolean granted) {}
}
