// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.stereotype.Component;
import rookery.platform.instance.OwnInstanceProperties;

/**
 * Registers this service in the {@link LocalServices} of its JVM, if any. Stops in the phase in which the web server waits for
 * its requests, and likewise: no new requests, and an end after the last one.
 */
@Component
final class LocalEntry implements SmartLifecycle {
    private final ObjectProvider<LocalServices> services;
    private final ObjectProvider<HttpHandler> handler;
    private final OwnInstanceProperties own;
    private volatile @Nullable LocalService entry;

    LocalEntry(ObjectProvider<LocalServices> services, ObjectProvider<HttpHandler> handler, OwnInstanceProperties own) {
        this.services = services;
        this.handler = handler;
        this.own = own;
    }

    @Override
    public void start() {
        services.ifAvailable(registry -> entry = registry.add(own.name(), handler.getObject()));
    }

    @Override
    public void stop(Runnable callback) {
        var ending = entry;
        entry = null;
        if (ending == null) {
            callback.run();
        } else {
            services.ifAvailable(registry -> registry.end(own.name(), ending, callback));
        }
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return entry != null;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
    }
}
