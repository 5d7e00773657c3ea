// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads a page's Open Graph properties, title and description. The page is untrusted, so the numbers of elements and properties
 * and the lengths of values are bounded. Takes CPU time; not for an event loop.
 */
final class PageReader {
    /**
     * Heads of real pages have some hundreds of elements. The parser reopens elements again and again, so a limit of bytes alone
     * is not enough.
     */
    private static final int ELEMENTS_MAX = 5_000;

    private static final int DEPTH_MAX = 100;
    private static final int PROPERTIES_MAX = 50;
    private static final int PICTURES_MAX = 3;
    private static final int VALUE_CHARS_MAX = 1_000;
    private static final int ALL_CHARS_MAX = 8_000;
    private static final int URL_CHARS_MAX = 2_048;

    private static final String TITLE = "og:title";
    private static final String DESCRIPTION = "og:description";
    private static final Pattern PROPERTY = Pattern.compile("og:[a-z0-9_:.-]{1,60}");
    private static final Pattern PICTURE = Pattern.compile("og:image(?::secure_url|:url)?");
    /** Properties of a picture that the server determines itself. */
    private static final Pattern OF_PICTURE = Pattern.compile("og:image(?!:alt$).*");

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cs}\\p{Z}\\s]+");

    private static final int CHARSET_BYTES = 4_096;
    private static final Pattern META_CHARSET = Pattern.compile(
            "<meta[^>]{0,200}?charset\\s{0,9}=\\s{0,9}[\"']?([\\w.:-]{1,40})", Pattern.CASE_INSENSITIVE);

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final List<String> pictures = new ArrayList<>();
    private @Nullable String title;
    private @Nullable String description;
    private int chars;

    private PageReader() {}

    /** Open Graph properties without those of pictures, and the addresses of pictures as written, possibly relative. */
    record PageFacts(Map<String, String> properties, List<String> pictures) {}

    /** Never fails: unreadable parts are left out. The charset is that of the Content-Type header, or null. */
    static PageFacts read(byte[] bytes, @Nullable String charset) {
        var reader = new PageReader();
        try (var parser = new StreamParser(Parser.htmlParser().setMaxDepth(DEPTH_MAX))) {
            var elements = parser.parse(text(bytes, charset), "").iterator();
            for (int i = 0; i < ELEMENTS_MAX && elements.hasNext(); i++) {
                reader.take(elements.next());
            }
        } catch (RuntimeException | StackOverflowError _) {
            // keeps the facts read so far
        }
        return reader.facts();
    }

    private static String text(byte[] bytes, @Nullable String charset) {
        String text = new String(bytes, charset(bytes, charset));
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static Charset charset(byte[] bytes, @Nullable String declared) {
        var ofHeader = supported(declared);
        if (ofHeader != null) {
            return ofHeader;
        }
        var beginning = new String(bytes, 0, Math.min(bytes.length, CHARSET_BYTES), StandardCharsets.ISO_8859_1);
        if (beginning.startsWith("\u00FE\u00FF") || beginning.startsWith("\u00FF\u00FE")) {
            return StandardCharsets.UTF_16;
        }
        var meta = META_CHARSET.matcher(beginning);
        var ofMeta = meta.find() ? supported(meta.group(1)) : null;
        return ofMeta == null ? StandardCharsets.UTF_8 : ofMeta;
    }

    private static @Nullable Charset supported(@Nullable String name) {
        try {
            return name == null || !Charset.isSupported(name) ? null : Charset.forName(name);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    private void take(Element element) {
        switch (element.normalName()) {
            case "title" -> {
                boolean isOfPage = element.tag().namespace().equals(Parser.NamespaceHtml); // SVG has titles, too
                title = title == null && isOfPage ? clean(element.text()) : title;
            }
            case "meta" -> takeMeta(element);
            default -> {}
        }
    }

    private void takeMeta(Element meta) {
        String name = (meta.hasAttr("property") ? meta.attr("property") : meta.attr("name")).strip();
        String content = meta.attr("content");
        if (name.equalsIgnoreCase("description") && description == null) {
            description = clean(content);
        } else if (PICTURE.matcher(name).matches()) {
            String picture = content.strip();
            if (pictures.size() < PICTURES_MAX && !picture.isEmpty() && picture.length() <= URL_CHARS_MAX) {
                pictures.add(picture);
            }
        } else if (PROPERTY.matcher(name).matches() && !OF_PICTURE.matcher(name).matches()) {
            put(name, clean(content));
        }
    }

    /** The first value of a name counts. */
    private void put(String name, @Nullable String value) {
        if (value == null || properties.size() >= PROPERTIES_MAX) {
            return;
        }
        int length = name.length() + value.length();
        if (chars + length <= ALL_CHARS_MAX && properties.putIfAbsent(name, value) == null) {
            chars += length;
        }
    }

    private PageFacts facts() {
        put(TITLE, title);
        put(DESCRIPTION, description);
        return new PageFacts(properties, pictures);
    }

    /** One printable line of bounded length; null if nothing is left. */
    private static @Nullable String clean(String value) {
        String beginning = value.substring(0, Math.min(value.length(), 2 * VALUE_CHARS_MAX));
        String text = UNPRINTABLE.matcher(beginning).replaceAll(" ").strip();
        if (text.length() > VALUE_CHARS_MAX) {
            boolean splitsPair = Character.isHighSurrogate(text.charAt(VALUE_CHARS_MAX - 1));
            text = text.substring(0, splitsPair ? VALUE_CHARS_MAX - 1 : VALUE_CHARS_MAX);
        }
        return text.isEmpty() ? null : text;
    }
}
