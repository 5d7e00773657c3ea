// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import org.springframework.http.HttpMethod;

/** The largest request bodies in bytes (contract.md 2.1), the same in gateway and services. */
public final class BodyLimits {
    /** The largest limit: keys and to-device messages. */
    public static final int BYTES_MAX = 5 << 20;

    private static final int USUAL = 1 << 20;
    /** Requests without a token contain a password or a form. */
    private static final int OF_STRANGERS = 64 << 10;
    /** Deleting devices takes a password in the body. */
    private static final int OF_DELETE = 64 << 10;
    /** Reads need no body; some clients send an empty object. */
    private static final int OF_READS = 4 << 10;

    private BodyLimits() {}

    /**
     * The limit of a request.
     *
     * @param path the path as sent
     * @param authenticated whether the request has a valid access token
     */
    public static int of(HttpMethod method, String path, boolean authenticated) {
        if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            return OF_READS;
        }
        if (!authenticated) {
            return OF_STRANGERS;
        }
        if (method.equals(HttpMethod.DELETE)) {
            return OF_DELETE;
        }
        return path.contains("/keys/") || path.contains("/sendToDevice/") ? BYTES_MAX : USUAL;
    }
}
