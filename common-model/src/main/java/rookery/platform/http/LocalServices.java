// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.HttpHandler;
import rookery.platform.instance.Instance;

/** The running services of this JVM by the names of their instances. The launcher gives one registry to all its services. */
public final class LocalServices {
    private final Map<String, LocalService> byInstance = new ConcurrentHashMap<>();

    /** The service of that instance, or null if it runs in another process or has not started yet. */
    public @Nullable LocalService of(Instance instance) {
        return byInstance.get(instance.name());
    }

    /** Registers a service under the name of its instance, such as {@code room-service-1}. */
    public LocalService add(String instance, HttpHandler handler) {
        var service = new LocalService(handler);
        byInstance.put(instance, service);
        return service;
    }

    /** Removes a service; {@code whenIdle} runs after the last of its requests has ended. */
    void end(String instance, LocalService service, Runnable whenIdle) {
        byInstance.remove(instance, service);
        service.end(whenIdle);
    }
}
