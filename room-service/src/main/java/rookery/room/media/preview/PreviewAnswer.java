// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import java.util.List;
import java.util.Map;
import rookery.model.id.MediaId;
import rookery.model.id.ServerName;
import rookery.room.media.preview.PreviewPictures.Picture;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON of a preview: Open Graph properties, with the picture as an {@code mxc} URI of this server (contract.md 13.4). */
final class PreviewAnswer {
    private static final String IMAGE = "og:image";
    private static final String TYPE = "og:image:type";
    private static final String WIDTH = "og:image:width";
    private static final String HEIGHT = "og:image:height";
    private static final String SIZE = "matrix:image:size";
    private static final JsonMapper JSON = JsonMapper.shared();

    private PreviewAnswer() {}

    static String of(Map<String, String> properties) {
        return JSON.writeValueAsString(properties);
    }

    static String with(String answer, ServerName server, MediaId id, Picture picture) {
        var whole = object(answer);
        whole.put(IMAGE, "mxc://" + server.value() + "/" + id.value());
        whole.put(TYPE, picture.file().type());
        whole.put(SIZE, picture.file().size());
        if (picture.pixels().width() > 0) {
            whole.put(WIDTH, picture.pixels().width());
            whole.put(HEIGHT, picture.pixels().height());
        }
        return JSON.writeValueAsString(whole);
    }

    static ObjectNode withoutPicture(String answer) {
        return object(answer).remove(List.of(IMAGE, TYPE, SIZE, WIDTH, HEIGHT));
    }

    static ObjectNode object(String answer) {
        return (ObjectNode) JSON.readTree(answer);
    }
}
