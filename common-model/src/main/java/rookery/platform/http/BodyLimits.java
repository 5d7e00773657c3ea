package rookery.platform.http;

import org.springframework.http.HttpMethod;

/** How large the body of a request may be, in bytes (contract.md 2.1); gateway and services hold to the same. */
public final class BodyLimits {
    /** The largest of all: keys and messages to devices. */
    public static final int BYTES_MAX = 5 << 20;

    private static final int USUAL = 1 << 20;
    /** Whoever has not said who they are has a password or a form to send. */
    private static final int OF_STRANGERS = 64 << 10;
    /** Devices are deleted with a password in the body. */
    private static final int OF_DELETE = 64 << 10;
    /** Nothing that is asked so takes a body; some clients send an empty object. */
    private static final int OF_READS = 4 << 10;

    private BodyLimits() {}

    /**
     * The limit of a request.
     *
     * @param path as it came
     * @param known whether it comes with a valid access token
     */
    public static int of(HttpMethod method, String path, boolean known) {
        if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
            return OF_READS;
        }
        if (!known) {
            return OF_STRANGERS;
        }
        if (method.equals(HttpMethod.DELETE)) {
            return OF_DELETE;
        }
        return path.contains("/keys/") || path.contains("/sendToDevice/") ? BYTES_MAX : USUAL;
    }
}
