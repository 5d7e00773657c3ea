// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.crypto.HmacSha256;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/** The address of an operator's browser in requests of the console to the API of operators, signed, for the audit records. */
@Component
public class ConsolePeer {
    public static final String HEADER = "X-Rookery-Console-Peer";

    private static final char SEPARATOR = ' ';

    private final HmacSha256 key;

    ConsolePeer(InternalProperties keys) {
        this.key = new HmacSha256(keys.derived(ServiceName.ADMIN, "console peer"));
    }

    /** The header's value for an address. */
    public String signed(String address) {
        return address + SEPARATOR + HexFormat.of().formatHex(key.of(address));
    }

    /** The address in a header's value; null without a header and for a value that the console has not signed. */
    @Nullable
    String address(@Nullable String header) {
        int end = header == null ? -1 : header.indexOf(SEPARATOR);
        if (header == null || end < 0) {
            return null;
        }
        var address = header.substring(0, end);
        boolean isOurs = MessageDigest.isEqual(
                signed(address).getBytes(StandardCharsets.UTF_8), header.getBytes(StandardCharsets.UTF_8));
        return isOurs ? address : null;
    }
}
