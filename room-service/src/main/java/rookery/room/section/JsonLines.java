// SPDX-License-Identifier: Apache-2.0
package rookery.room.section;

import java.io.ByteArrayOutputStream;
import tools.jackson.databind.json.JsonMapper;

final class JsonLines {
    private JsonLines() {}

    static byte[] line(Object document) {
        var out = new ByteArrayOutputStream();
        JsonMapper.shared().writeValue(out, document);
        out.write('\n');
        return out.toByteArray();
    }
}
