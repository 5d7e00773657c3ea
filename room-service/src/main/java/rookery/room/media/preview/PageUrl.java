// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The normalized address of a page: http or https, a host in ASCII, no user and no fragment. Characters that URLs do not allow
 * are percent-encoded, as in browsers.
 */
record PageUrl(URI uri) {
    private static final int BYTES_MAX = 2_048;
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final int PORT_MAX = 0xFFFF;

    private static final Pattern ABSOLUTE = Pattern.compile(
            "(?<scheme>https?)://(?<host>\\[[0-9a-f:.]+]|[^/?#\\\\@\\[\\]:]+)(?::(?<port>[0-9]{1,5})?)?"
                    + "(?<path>/[^?#]*)?(?<query>\\?[^#]*)?(?:#.*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*", Pattern.DOTALL);
    /** Characters sent unescaped; a percent sign stays only before two hexadecimal digits. */
    private static final String KEPT = "-._~!$&'()*+,;=:@/?";

    /** M_INVALID_PARAM for a malformed or unsupported URL. */
    static PageUrl of(String text) {
        var url = find(text);
        if (url == null) {
            throw new ApiException(
                    ErrorCode.M_INVALID_PARAM,
                    "url is an http or https URL of at most " + BYTES_MAX + " bytes, without a user");
        }
        return url;
    }

    private static @Nullable PageUrl find(String text) {
        var parts = ABSOLUTE.matcher(text.strip());
        if (text.length() > BYTES_MAX || !parts.matches()) {
            return null;
        }
        String port = parts.group("port");
        String path = parts.group("path");
        String query = parts.group("query");
        try {
            String host = IDN.toASCII(parts.group("host")).toLowerCase(Locale.ROOT);
            var uri = new URI(parts.group("scheme").toLowerCase(Locale.ROOT) + "://" + host
                    + (port == null ? "" : ":" + port) + (path == null ? "/" : withoutDots(encoded(path)))
                    + (query == null ? "" : encoded(query)));
            boolean isUsable = uri.getHost() != null
                    && uri.getPort() <= PORT_MAX
                    && uri.getPort() != 0
                    && uri.toString().length() <= BYTES_MAX;
            return isUsable ? new PageUrl(uri) : null;
        } catch (IllegalArgumentException | URISyntaxException _) {
            return null;
        }
    }

    private static String encoded(String text) {
        var encoded = new StringBuilder();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xFF);
            boolean isEscape = c == '%' && isHex(bytes, i + 1) && isHex(bytes, i + 2);
            if (isEscape || isLetterOrDigit(c) || KEPT.indexOf(c) >= 0) {
                encoded.append(c);
            } else {
                encoded.append("%%%02X".formatted((int) c));
            }
        }
        return encoded.toString();
    }

    /** The path without segments {@code .} and {@code ..} (RFC 3986, 5.2.4). */
    private static String withoutDots(String path) {
        var parts = new ArrayList<String>();
        String[] all = path.split("/", -1);
        for (int i = 0; i < all.length; i++) {
            boolean isUp = all[i].equals("..");
            boolean isDots = isUp || all[i].equals(".");
            if (isUp && parts.size() > 1) {
                parts.removeLast();
            }
            if (!isDots) {
                parts.add(all[i]);
            } else if (i == all.length - 1) {
                parts.add("");
            }
        }
        return String.join("/", parts);
    }

    private static boolean isHex(byte[] bytes, int at) {
        return at < bytes.length && Character.digit(bytes[at], 16) >= 0;
    }

    private static boolean isLetterOrDigit(char c) {
        return c < 0x80 && Character.isLetterOrDigit(c);
    }

    /** The target of a link or redirect on this page; null for a malformed or unsupported URL. */
    @Nullable
    PageUrl resolve(String reference) {
        String text = reference.strip();
        String start = uri.getScheme() + "://" + uri.getRawAuthority();
        String path = uri.getRawPath();
        if (text.startsWith("//")) {
            return find(uri.getScheme() + ":" + text);
        } else if (text.startsWith("/")) {
            return find(start + text);
        } else if (text.startsWith("?")) {
            return find(start + path + text);
        } else if (SCHEME.matcher(text).matches()) {
            return find(text);
        }
        return find(start + path.substring(0, path.lastIndexOf('/') + 1) + text);
    }

    /** {@link URI#getHost()}, in lower case. */
    String host() {
        return uri.getHost();
    }

    int port() {
        return uri.getPort() > 0 ? uri.getPort() : uri.getScheme().equals("https") ? HTTPS_PORT : HTTP_PORT;
    }

    /** SHA-256 of the URL's text. */
    ByteBuffer hash() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return ByteBuffer.wrap(digest.digest(uri.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
