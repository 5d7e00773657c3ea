// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import rookery.auth.text.WholeText;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import tools.jackson.databind.node.ObjectNode;

/** The tags in the account data {@code m.tag} of a room (contract.md 13.2). Pure. */
final class RoomTags {
    private static final int TAG_BYTES_MAX = 255;
    private static final String TAGS = "tags";
    private static final String ORDER = "order";

    private RoomTags() {}

    /** M_INVALID_PARAM for an invalid tag name. */
    static String requireTag(String tag) {
        WholeText.of(tag, "the tag");
        if (tag.isEmpty() || tag.getBytes(StandardCharsets.UTF_8).length > TAG_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "a tag has 1 to " + TAG_BYTES_MAX + " bytes");
        }
        return tag;
    }

    /** M_BAD_JSON for an order that is not a number, M_INVALID_PARAM for an order outside of 0 to 1. */
    static ObjectNode requireContent(JsonBody body) {
        var order = body.json().get(ORDER);
        if (order == null) {
            return body.json();
        }
        if (!order.isNumber()) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "order must be a number");
        }
        double place = order.asDouble(Double.NaN);
        if (!(place >= 0 && place <= 1)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "order is between 0 and 1");
        }
        return body.json();
    }

    /** The tags in the content. Clients may also write the whole content: a content without an object of tags has no tags. */
    static ObjectNode of(ObjectNode content) {
        return content.get(TAGS) instanceof ObjectNode tags ? tags : content.objectNode();
    }

    /** The content with the tag set to the value, or without the tag if the value is null. */
    static ObjectNode with(ObjectNode content, String tag, @Nullable ObjectNode value) {
        if (value == null && !of(content).has(tag)) {
            return content;
        }
        var after = content.deepCopy();
        var tags = of(after);
        if (value == null) {
            tags.remove(tag);
        } else {
            tags.set(tag, value);
        }
        after.set(TAGS, tags);
        return after;
    }
}
