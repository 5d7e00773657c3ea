// SPDX-License-Identifier: Apache-2.0
package rookery.platform.json;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.StringWriter;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** Finished JSON: copied into a response without parsing, and out of one without a tree, which takes many times the memory. */
@JsonDeserialize(using = JsonText.Reader.class)
public record JsonText(@JsonValue @JsonRawValue String text) {
    static final class Reader extends ValueDeserializer<JsonText> {
        @Override
        public JsonText deserialize(JsonParser parser, DeserializationContext context) {
            var text = new StringWriter();
            try (var out = JsonMapper.shared().createGenerator(text)) {
                out.copyCurrentStructure(parser);
            }
            return new JsonText(text.toString());
        }
    }
}
