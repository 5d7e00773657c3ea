// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import rookery.model.crypto.HmacSha256;
import rookery.platform.instance.OwnInstanceProperties;

/** The keys for calls from this service and to this service, initialised. */
@Component
public final class ServiceKeys {
    private static final int ID_BYTES = 6;

    private final Map<String, Key> outgoing = new HashMap<>();
    private final Map<String, Key> incoming = new HashMap<>();

    @Autowired
    public ServiceKeys(OwnInstanceProperties own, InternalProperties properties) {
        this(service(own.service()), properties);
    }

    ServiceKeys(ServiceName own, InternalProperties properties) {
        var missing = properties.missing(own);
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "rookery.internal.keys: %s has no key %s, as deploy/compose/secrets derives it"
                            .formatted(own.title(), String.join(", ", missing)));
        }
        for (var callee : own.calls()) {
            outgoing.put(callee.title(), key(callee, properties.required(own.arrowTo(callee))));
        }
        for (var caller : ServiceName.values()) {
            if (caller.calls().contains(own)) {
                for (var secret : properties.named(caller.arrowTo(own))) {
                    var key = key(caller, secret);
                    incoming.put(key.id, key);
                }
            }
        }
    }

    /** Derives the keys of a service from the master secret, for the launcher and for tests. */
    public static ServiceKeys derived(ServiceName own, String master) {
        return new ServiceKeys(own, new InternalProperties(KeyDerivation.keysOf(own, master)));
    }

    private static ServiceName service(String title) {
        var service = ServiceName.named(title);
        if (service == null) {
            throw new IllegalArgumentException("rookery.instance.service: there is no service called " + title);
        }
        return service;
    }

    /** The key for calls to that service, such as {@code room-service}. */
    Key to(String callee) {
        var key = outgoing.get(callee);
        if (key == null) {
            throw new IllegalStateException("this service has no key for calls to " + callee);
        }
        return key;
    }

    /** The key with that id for calls to this service, or null. */
    @Nullable
    Key from(String id) {
        return incoming.get(id);
    }

    private static Key key(ServiceName peer, byte[] secret) {
        try {
            var id = MessageDigest.getInstance("SHA-256").digest(secret);
            return new Key(HexFormat.of().formatHex(id, 0, ID_BYTES), peer, new HmacSha256(secret));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The key for calls from one service to another.
     *
     * @param id a part of its hash, by which the callee finds the key
     * @param peer the service at the other end
     */
    record Key(String id, ServiceName peer, HmacSha256 hmac) {}
}
