// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;

/**
 * Signed headers of one kind: {@code v2.} key id {@code .} base64url(content) {@code .} base64url(HMAC-SHA256). The signature
 * covers the kind, the method, the path and the header up to the signature, so a header is valid for one request to one service.
 */
final class Signature {
    private static final String VERSION = "v2.";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final String kind;
    private final ServiceKeys keys;

    Signature(String kind, ServiceKeys keys) {
        this.kind = kind;
        this.keys = keys;
    }

    /**
     * Signs a header for a request.
     *
     * @param callee the called service
     * @param path the path of the request, without the query
     */
    String sign(byte[] content, String callee, HttpMethod method, String path) {
        var key = keys.to(callee);
        String text = VERSION + key.id() + "." + ENCODER.encodeToString(content);
        return text + "." + ENCODER.encodeToString(key.hmac().of(bound(text, method, path)));
    }

    /** Returns the signed content and the signer, or null if the header is not for this service and request. */
    @Nullable
    SignedContent verified(String header, HttpMethod method, String path) {
        int id = VERSION.length();
        int content = header.indexOf('.', id) + 1;
        int signature = header.indexOf('.', content) + 1;
        if (!header.startsWith(VERSION) || content == 0 || signature == 0) {
            return null;
        }
        var key = keys.from(header.substring(id, content - 1));
        if (key == null) {
            return null;
        }
        try {
            byte[] sent = Base64.getUrlDecoder().decode(header.substring(signature));
            byte[] expected = key.hmac().of(bound(header.substring(0, signature - 1), method, path));
            return MessageDigest.isEqual(sent, expected)
                    ? new SignedContent(
                            key.peer(), Base64.getUrlDecoder().decode(header.substring(content, signature - 1)))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** No part can contain a line feed. */
    private String bound(String text, HttpMethod method, String path) {
        return kind + '\n' + method.name() + '\n' + path + '\n' + text;
    }

    /** The content of a verified header. */
    @SuppressWarnings("ArrayRecordComponent") // created and read once
    record SignedContent(ServiceName by, byte[] content) {}
}
