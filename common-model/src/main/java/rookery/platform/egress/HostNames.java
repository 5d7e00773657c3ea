// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks the host of a URL by its text. The address behind a name can change, so {@link EgressClient} checks the address when
 * it connects.
 */
public final class HostNames {
    private static final String OCTET = "(?:0|[1-9]\\d{0,2})";
    private static final String DOTTED = OCTET + "(?:\\." + OCTET + "){3}";
    private static final String NOT_PUBLIC = "its address is not public";

    private HostNames() {}

    /**
     * Returns the reason why requests to the host are not allowed, or null.
     *
     * @param host as in a {@link java.net.URI}: an IPv6 address is in brackets
     * @param allowPrivate whether requests to private addresses are allowed
     */
    public static @Nullable String objection(String host, boolean allowPrivate) {
        String name = host.toLowerCase(Locale.ROOT);
        name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (name.isEmpty() || name.endsWith(".")) {
            return "its host is no name";
        }
        boolean isNumeric = name.startsWith("[") || Character.isDigit(name.charAt(name.lastIndexOf('.') + 1));
        if (isNumeric) {
            return objectionToAddress(name, allowPrivate);
        }
        boolean isLocal = name.equals("localhost") || name.endsWith(".localhost");
        return isLocal && !allowPrivate ? NOT_PUBLIC : null;
    }

    private static @Nullable String objectionToAddress(String text, boolean allowPrivate) {
        if (!text.startsWith("[") && !text.matches(DOTTED)) {
            return "its host is an address that is not written as usual"; // readers interpret other notations as
            // different addresses
        }
        try {
            var address = InetAddress.ofLiteral(text.startsWith("[") ? text.substring(1, text.length() - 1) : text);
            return allowPrivate || PublicAddresses.contains(address) ? null : NOT_PUBLIC;
        } catch (IllegalArgumentException _) {
            return "its host is no address";
        }
    }
}
