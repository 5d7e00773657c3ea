// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import static rookery.platform.http.ServiceName.ADMIN;
import static rookery.platform.http.ServiceName.AUTH;
import static rookery.platform.http.ServiceName.DIRECTORY;
import static rookery.platform.http.ServiceName.GATEWAY;
import static rookery.platform.http.ServiceName.OPERATOR;
import static rookery.platform.http.ServiceName.PUSH;
import static rookery.platform.http.ServiceName.ROOM;
import static rookery.platform.http.ServiceName.SYNC;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.platform.http.Callers;
import rookery.platform.http.ReadinessWatch;

/** Readiness of this instance for the gateway and the launcher. */
@RestController
class ReadyApi {
    private final Readiness readiness;
    private final AtomicBoolean draining = new AtomicBoolean();

    ReadyApi(Readiness readiness) {
        this.readiness = readiness;
    }

    @Callers({OPERATOR, GATEWAY, AUTH, ROOM, SYNC, DIRECTORY, PUSH, ADMIN})
    @GetMapping("/internal/ready")
    Mono<ResponseEntity<Readiness.Ready>> ready() {
        return readiness.now().map(this::answer);
    }

    private ResponseEntity<Readiness.Ready> answer(Readiness.Ready state) {
        return draining.get()
                ? ResponseEntity.status(503)
                        .header(ReadinessWatch.STOPPING_HEADER, "true")
                        .body(state)
                : ResponseEntity.status(state.ready() ? 200 : 503).body(state);
    }

    @EventListener
    void on(ContextClosedEvent closed) {
        draining.set(true);
    }
}
