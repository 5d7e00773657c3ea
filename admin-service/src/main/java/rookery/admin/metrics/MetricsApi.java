// SPDX-License-Identifier: Apache-2.0
package rookery.admin.metrics;

import java.net.InetAddress;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.ratelimit.Cidr;

/** The metrics of the whole installation, public unless networks are configured (contract.md 4). */
@RestController
class MetricsApi {
    private static final MediaType PROMETHEUS_TEXT =
            MediaType.parseMediaType("text/plain; version=0.0.4; charset=utf-8");

    private final MetricsCollector collector;
    private final List<Cidr> allowed;

    MetricsApi(MetricsCollector collector, MetricsProperties properties) {
        this.collector = collector;
        this.allowed = properties.allowed();
    }

    /** 403 M_FORBIDDEN if networks are configured and none contains the caller's address. */
    @GetMapping("/_api/client/metrics")
    @Access(Level.NONE)
    Mono<ResponseEntity<String>> metrics(Caller caller) {
        if (!isAllowed(caller.ip())) {
            return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "metrics are not for your address"));
        }
        return collector
                .page()
                .map(page -> ResponseEntity.ok().contentType(PROMETHEUS_TEXT).body(page));
    }

    private boolean isAllowed(String ip) {
        var address = InetAddress.ofLiteral(ip);
        return allowed.isEmpty() || allowed.stream().anyMatch(network -> network.contains(address));
    }
}
