// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import rookery.admin.person.ArchiveIndex.Entry;
import rookery.model.id.UserId;

class HtmlTest {
    private static final String HOSTILE = "</title></bdi><script>alert(1)</script>\" onload='x' &\u202E";

    @Test
    void everyTextIsEscaped() {
        assertThat(Html.text("<a href=\"x\">'&\u0001\n"))
                .isEqualTo("<bdi>&lt;a href=&quot;x&quot;&gt;&#39;&amp;\uFFFD\n</bdi>");
        assertThat(Html.escaped("\uD800")).isEqualTo("\uFFFD");
    }

    @Test
    void noNameOrMessageBecomesMarkup() {
        var message =
                "{\"type\":\"m.room.message\",\"ts\":1,\"event\":{\"content\":{\"body\":\"<img src=x onerror=y>\"}}}";
        var index = new ArchiveIndex(new UserId("@ada:chat.example"), HOSTILE, Instant.EPOCH);
        index.add(new Entry("rooms/00001 " + HOSTILE.replace("/", "_") + "/messages.html", HOSTILE, 0));

        for (var page : new String[] {
            MessagePage.begin(HOSTILE, "!r:" + HOSTILE), MessagePage.row(message), String.join("", index.html())
        }) {
            assertThat(page).doesNotContain("<script", "<img", "onload='", "</title></bdi>");
        }
        assertThat(MessagePage.row(message)).contains("&lt;img", "1970-01-01T00:00:00.001Z");
    }

    @Test
    void aLinkLeadsToItsFileWhateverTheFileIsCalled() {
        var index = new ArchiveIndex(new UserId("@ada:chat.example"), "@root:chat.example", Instant.EPOCH);
        index.add(new Entry("media/00001 100% #1.txt", "", 0));

        assertThat(String.join("", index.html())).contains("href=\"media/00001%20100%25%20%231.txt\"");
    }

    @Test
    void encryptedAndDeletedMessagesAreNamed() {
        assertThat(MessagePage.row(
                        "{\"type\":\"m.room.encrypted\",\"ts\":1,\"event\":{\"content\":{\"ciphertext\":\"x\"}}}"))
                .contains("the server cannot read");
        assertThat(MessagePage.row("{\"type\":\"m.room.message\",\"ts\":1,\"redacted\":true,\"event\":{\"content\":{}},"
                        + "\"original\":{\"type\":\"m.room.message\",\"content\":{\"body\":\"regret\"}}}"))
                .contains("deleted", "regret");
    }
}
