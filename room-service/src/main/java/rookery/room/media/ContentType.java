// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detects the type of a file from its bytes (contract.md 13.4). Downloads carry the uploader's declared type; browsers
 * show a file inline only where both types are harmless. A declared type that browsers show counts only for bytes that
 * look like that type.
 */
public final class ContentType {
    static final String UNKNOWN = "application/octet-stream";
    public static final String PNG = "image/png";
    public static final String JPEG = "image/jpeg";
    public static final String GIF = "image/gif";

    private static final String TEXT = "text/plain";
    private static final int CHARS_MAX = 255;
    private static final Pattern GRAMMAR = Pattern.compile(
            "[A-Za-z0-9!#$&^_.+-]{1,100}/[A-Za-z0-9!#$&^_.+-]{1,100}(?: *; *[A-Za-z0-9!#$&^_.+=\" -]+)*");
    private static final Pattern MARKUP = Pattern.compile(
            "<(?:!doctype|!--|\\?xml|html|head|body|script|svg|iframe|style|title|table|div|font|img|h1|a|b|p|br)\\b.*"
                    + "|<!--.*|<\\?xml.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Types that a browser may show inline, since their content runs no code. */
    private static final Set<String> SHOWN = Set.of(
            TEXT,
            "text/css",
            "text/csv",
            "application/json",
            "application/ld+json",
            PNG,
            JPEG,
            GIF,
            "image/webp",
            "image/avif",
            "image/apng",
            "video/mp4",
            "video/webm",
            "video/ogg",
            "video/quicktime",
            "audio/mp4",
            "audio/webm",
            "audio/aac",
            "audio/mpeg",
            "audio/ogg",
            "audio/wave",
            "audio/wav",
            "audio/x-wav",
            "audio/x-pn-wav",
            "audio/flac",
            "audio/x-flac");

    private record Signature(String type, Predicate<FirstBytes> matches) {}

    private static final List<Signature> SIGNATURES = List.of(
            new Signature(PNG, bytes -> bytes.has(0, "\u0089PNG\r\n\u001A\n")),
            new Signature(JPEG, bytes -> bytes.has(0, "\u00FF\u00D8\u00FF")),
            new Signature(GIF, bytes -> bytes.has(0, "GIF87a") || bytes.has(0, "GIF89a")),
            new Signature("image/webp", bytes -> bytes.has(0, "RIFF") && bytes.has(8, "WEBP")),
            new Signature("audio/wav", bytes -> bytes.has(0, "RIFF") && bytes.has(8, "WAVE")),
            new Signature("image/avif", bytes -> bytes.has(4, "ftypavif")),
            new Signature("audio/mp4", bytes -> bytes.has(4, "ftypM4A")),
            new Signature("video/quicktime", bytes -> bytes.has(4, "ftypqt")),
            new Signature("video/mp4", bytes -> bytes.has(4, "ftyp")),
            new Signature("video/webm", bytes -> bytes.has(0, "\u001AE\u00DF\u00A3")),
            new Signature("audio/ogg", bytes -> bytes.has(0, "OggS")),
            new Signature("audio/flac", bytes -> bytes.has(0, "fLaC")),
            new Signature("audio/mpeg", bytes -> bytes.has(0, "ID3")),
            new Signature("application/pdf", bytes -> bytes.has(0, "%PDF-")));

    /** Types with equal first bytes; within a set every type is equally safe. */
    private static final List<Set<String>> ALIKE = List.of(
            Set.of("video/webm", "audio/webm"),
            Set.of("video/mp4", "audio/mp4", "video/quicktime"),
            Set.of("audio/ogg", "video/ogg"),
            Set.of(PNG, "image/apng"),
            Set.of("audio/wav", "audio/wave", "audio/x-wav", "audio/x-pn-wav"),
            Set.of("audio/flac", "audio/x-flac"));

    private ContentType() {}

    /** The type of a file by its first bytes and its declared type. */
    static String of(FirstBytes bytes, @Nullable String claimed) {
        String declared = isWellFormed(claimed) ? String.valueOf(claimed) : UNKNOWN;
        String essence = essence(declared);
        for (var signature : SIGNATURES) {
            if (signature.matches.test(bytes)) {
                return isAlike(signature.type, essence) ? declared : signature.type;
            }
        }
        if (MARKUP.matcher(bytes.text()).matches()) {
            return markup(bytes.text());
        }
        return isBelieved(essence, bytes) ? declared : UNKNOWN;
    }

    /** Whether a browser may show a file of this type inline. */
    public static boolean isShown(String type) {
        return SHOWN.contains(essence(type));
    }

    private static boolean isAlike(String one, String other) {
        return ALIKE.stream().anyMatch(types -> types.contains(one) && types.contains(other));
    }

    /** Whether the declared type may be sent as a header of a response. */
    static boolean isWellFormed(@Nullable String claimed) {
        return claimed != null
                && claimed.length() <= CHARS_MAX
                && GRAMMAR.matcher(claimed).matches();
    }

    private static String essence(String type) {
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    }

    private static String markup(String text) {
        return text.toLowerCase(Locale.ROOT).contains("<svg") ? "image/svg+xml" : "text/html";
    }

    /**
     * Types that browsers do not show are believed, and audio, which may have no signature. Images and videos always have a
     * signature, and text must look like text.
     */
    private static boolean isBelieved(String essence, FirstBytes bytes) {
        if (!SHOWN.contains(essence) || essence.startsWith("audio/")) {
            return true;
        }
        return !essence.startsWith("image/") && !essence.startsWith("video/") && bytes.isText();
    }
}
