// SPDX-License-Identifier: Apache-2.0
package rookery.room.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import rookery.model.error.ApiException;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The id of a room of version 12. The expected hash was computed by another program, from the text of the specification. */
class CreateEventHashTest {
    private static final UserId ADA = new UserId("@ada:example.org");
    private static final long TIME = 1_767_225_600_000L;
    private static final String CONTENT = """
            {"room_version":"12","additional_creators":["@bob:example.org"],"rookery.nonce":"AAAA","topic":"größe \\" \\\\"}
            """;

    private static String hash(UserId sender, String content, long time) {
        return CreateEventHash.of(sender, (ObjectNode) JsonMapper.shared().readTree(content), time);
    }

    @Test
    void hashIsThatOfTheSpecification() {
        assertThat(hash(ADA, CONTENT, TIME)).isEqualTo("rDFb0qZdJBBdeAuT87iLtloxhhzdJM42DDgB0hew-_Y");
    }

    @Test
    void everyPartOfTheEventChangesTheHash() {
        String hash = hash(ADA, CONTENT, TIME);
        assertThat(hash(ADA, CONTENT, TIME + 1)).isNotEqualTo(hash);
        assertThat(hash(new UserId("@bob:example.org"), CONTENT, TIME)).isNotEqualTo(hash);
        assertThat(hash(ADA, CONTENT.replace("AAAA", "AAAB"), TIME)).isNotEqualTo(hash);
    }

    @Test
    void contentWithoutACanonicalFormIsRefused() {
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> hash(ADA, "{\"a\":1.5}", TIME));
    }
}
