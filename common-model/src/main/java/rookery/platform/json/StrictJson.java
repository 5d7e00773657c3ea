// SPDX-License-Identifier: Apache-2.0
package rookery.platform.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Parses JSON of clients strictly, with limits of depth, number length and name length, and without half surrogate pairs
 * (contract.md 2.1).
 */
public final class StrictJson {
    private static final int DEPTH_MAX = 100;
    private static final int NUMBER_CHARS_MAX = 1000;
    private static final int NAME_CHARS_MAX = 65_536;

    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_CHARS_MAX)
                            .maxNameLength(NAME_CHARS_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private StrictJson() {}

    /**
     * Parses the object in the bytes; no bytes are an empty object. M_NOT_JSON for invalid JSON, M_BAD_JSON for JSON other than
     * an object.
     */
    public static ObjectNode object(byte[] utf8) {
        if (isBlank(utf8)) {
            return JSON.createObjectNode();
        }
        return asObject(tree(decoded(utf8)));
    }

    /** Parses the object in a text, such as an inline filter; errors as above. */
    public static ObjectNode object(String text) {
        return asObject(tree(text));
    }

    private static ObjectNode asObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new ApiException(ErrorCode.M_BAD_JSON, "a JSON object is expected");
    }

    private static JsonNode tree(String text) {
        try {
            var node = JSON.readTree(text);
            // the bytes were decoded to whole pairs, so only an escape can be half a pair
            if (text.contains("\\u")) {
                requireWholePairs(node);
            }
            return node;
        } catch (StreamConstraintsException e) {
            throw new ApiException(
                    ErrorCode.M_BAD_JSON, "the JSON is nested too deeply, or a name or number is too long");
        } catch (JacksonException e) {
            throw new ApiException(ErrorCode.M_NOT_JSON, "the body is not JSON");
        }
    }

    private static void requireWholePairs(JsonNode node) {
        if (node.isString()) {
            CanonicalJson.whole(node.stringValue());
        }
        node.propertyNames().forEach(CanonicalJson::whole);
        node.forEach(StrictJson::requireWholePairs);
    }

    private static String decoded(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ApiException(ErrorCode.M_NOT_JSON, "the body is not UTF-8");
        }
    }

    private static boolean isBlank(byte[] utf8) {
        for (byte b : utf8) {
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return false;
            }
        }
        return true;
    }
}
