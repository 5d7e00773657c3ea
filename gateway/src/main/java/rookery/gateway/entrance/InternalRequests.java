// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import rookery.gateway.metrics.RequestMeters;
import rookery.platform.http.ServiceCredential;
import rookery.platform.http.ServiceName;

/**
 * Recognizes the signed requests of auth-service to the gateway. All other requests for these paths are requests of clients, for
 * which the paths do not exist.
 */
@Component
class InternalRequests {
    private static final String PREFIX = "/internal/";

    private final ServiceCredential credential;

    InternalRequests(ServiceCredential credential) {
        this.credential = credential;
    }

    /** Whether auth-service has signed the request; 503 if the signature has expired. */
    boolean isOfService(ServerHttpRequest request) {
        String path = request.getURI().getRawPath();
        String signed = request.getHeaders().getFirst(ServiceCredential.HEADER);
        boolean isOfAuth = signed != null
                && path.startsWith(PREFIX)
                && credential.verified(signed, request.getMethod(), path) == ServiceName.AUTH;
        if (isOfAuth) {
            RequestMeters.route(request, path);
        }
        return isOfAuth;
    }
}
