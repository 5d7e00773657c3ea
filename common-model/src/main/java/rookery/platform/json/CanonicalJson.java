// SPDX-License-Identifier: Apache-2.0
package rookery.platform.json;

import java.util.ArrayList;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SegmentedStringWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Canonical JSON of the Matrix specification: keys ordered by code point, no white space, integers only.
 *
 * <p>Values without a canonical form (floats, integers beyond 2^53-1, half surrogate pairs) are M_BAD_JSON.
 */
public final class CanonicalJson {
    private static final long INTEGER_MAX = (1L << 53) - 1;
    private static final JsonMapper JSON = JsonMapper.shared();

    private CanonicalJson() {}

    public static String write(JsonNode node) {
        return write(node, false);
    }

    /** Writes canonical JSON, but allows floats, which account data and tags may have. */
    public static String writeWithFloats(JsonNode node) {
        return write(node, true);
    }

    private static String write(JsonNode node, boolean floats) {
        try (var out = new SegmentedStringWriter(JSON.tokenStreamFactory()._getBufferRecycler());
                var generator = JSON.createGenerator(out)) {
            write(node, generator, floats);
            generator.flush();
            return out.getAndClear();
        }
    }

    private static void write(JsonNode node, JsonGenerator out, boolean floats) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                var names = new ArrayList<>(node.propertyNames());
                names.sort(CanonicalJson::byCodePoints);
                out.writeStartObject();
                for (String name : names) {
                    out.writeName(whole(name));
                    write(node.get(name), out, floats);
                }
                out.writeEndObject();
            }
            case ARRAY -> {
                out.writeStartArray();
                for (JsonNode element : node) {
                    write(element, out, floats);
                }
                out.writeEndArray();
            }
            case STRING -> out.writeString(whole(node.stringValue()));
            case NUMBER -> number(node, out, floats);
            case BOOLEAN -> out.writeBoolean(node.booleanValue());
            default -> out.writeNull();
        }
    }

    private static void number(JsonNode node, JsonGenerator out, boolean floats) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            long value = node.longValue();
            if (value >= -INTEGER_MAX && value <= INTEGER_MAX) {
                out.writeNumber(value);
                return;
            }
        }
        double number = node.asDouble(Double.NaN); // without a default, the node of an integer of 400 digits throws
        if (!floats || !Double.isFinite(number)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "numbers are integers between -(2^53-1) and 2^53-1");
        }
        out.writeNumber(number);
    }

    /** The unchanged text; M_BAD_JSON for half a surrogate pair, which UTF-8 cannot encode. */
    static String whole(String text) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "a string contains an unpaired surrogate");
        }
        return text;
    }

    /** The order of UTF-16 differs for surrogate pairs. */
    private static int byCodePoints(String a, String b) {
        int i = 0;
        while (i < a.length() && i < b.length()) {
            int left = a.codePointAt(i);
            int right = b.codePointAt(i);
            if (left != right) {
                return Integer.compare(left, right);
            }
            i += Character.charCount(left);
        }
        return Integer.compare(a.length(), b.length());
    }
}
