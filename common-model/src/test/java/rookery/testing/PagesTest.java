// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** The prose of all pages in the repository. Runs in this module only. */
class PagesTest {
    private static final int VAGUE_PERCENT_MAX = 8;

    @Test
    void pagesNameThings() {
        var excess = new ArrayList<String>();
        for (var page : new Documents().pages()) {
            var sentences = PlainWords.ofMarkdown(Documents.root().relativize(page), Documents.text(page));
            excess.addAll(PlainWords.excess(sentences, VAGUE_PERCENT_MAX));
        }
        assertThat(excess)
                .as("vague sentences of pages, which are more than %d %% of a page", VAGUE_PERCENT_MAX)
                .isEmpty();
    }
}
