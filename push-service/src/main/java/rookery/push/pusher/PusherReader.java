// SPDX-License-Identifier: Apache-2.0
package rookery.push.pusher;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import rookery.push.gateway.GatewayUrl;
import rookery.push.gateway.GatewayUrls;
import tools.jackson.databind.node.JsonNodeFactory;

/** Parses pushers from clients (contract.md 12.6). */
@Component
class PusherReader {
    private static final int DESCRIBED_BYTES_MAX = 8192;
    private static final int PROFILE_TAG_BYTES_MAX = 32;
    private static final List<String> REQUIRED =
            List.of("pushkey", "kind", "app_id", "app_display_name", "device_display_name", "lang");

    private final GatewayUrls urls;

    PusherReader(GatewayUrls urls) {
        this.urls = urls;
    }

    /** A deletion has {@code kind} with the value null. */
    static boolean isDeletion(JsonBody body) {
        return body.json().has("kind") && !body.has("kind");
    }

    static PusherKey key(JsonBody body) {
        requireAll(body, List.of("pushkey", "app_id"));
        return new PusherKey(body.string("app_id"), body.string("pushkey"));
    }

    Pusher pusher(Caller caller, JsonBody body) {
        var data = body.optionalObject("data");
        String inData = data == null ? null : data.optionalString("url");
        String flat = body.optionalString("url");
        requireAll(body, inData == null && flat == null ? with(REQUIRED, "url") : REQUIRED);
        if (!body.string("kind").equals("http")) {
            throw invalid("pushers of this kind are not served, only http");
        }
        var key = key(body);
        var url = url(caller.tenant(), flat, inData);
        return new Pusher(caller.tenant(), caller.user(), caller.device(), key, url, described(body, data, url));
    }

    private GatewayUrl url(TenantId tenant, @Nullable String flat, @Nullable String inData) {
        if (flat != null && inData != null && !flat.equals(inData)) {
            throw invalid("url and data.url differ");
        }
        return urls.checked(tenant, flat == null ? String.valueOf(inData) : flat);
    }

    private static String described(JsonBody body, @Nullable JsonBody data, GatewayUrl url) {
        var described = JsonNodeFactory.instance.objectNode();
        described.put("app_display_name", body.string("app_display_name"));
        described.put("device_display_name", body.string("device_display_name"));
        described.put("lang", body.string("lang"));
        var tag = body.optionalString("profile_tag");
        if (tag != null) {
            if (bytes(tag) > PROFILE_TAG_BYTES_MAX) {
                throw invalid("the field profile_tag has at most %d bytes".formatted(PROFILE_TAG_BYTES_MAX));
            }
            described.put("profile_tag", tag);
        }
        var all = described.putObject("data");
        if (data != null) {
            data.optionalString("format"); // M_BAD_JSON if format is no string
            all.setAll(data.json());
        }
        all.put("url", url.toString());
        var text = CanonicalJson.writeWithFloats(described);
        if (bytes(text) > DESCRIBED_BYTES_MAX) {
            throw invalid("names, lang and data have at most %d bytes together".formatted(DESCRIBED_BYTES_MAX));
        }
        return text;
    }

    private static void requireAll(JsonBody body, List<String> fields) {
        var missing = fields.stream().filter(field -> !body.has(field)).toList();
        if (!missing.isEmpty()) {
            throw new ApiException(
                    ErrorCode.M_MISSING_PARAM, "these fields are missing: " + String.join(", ", missing));
        }
    }

    private static List<String> with(List<String> fields, String more) {
        return Stream.concat(fields.stream(), Stream.of(more)).toList();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static ApiException invalid(String reason) {
        return new ApiException(ErrorCode.M_INVALID_PARAM, reason);
    }
}
