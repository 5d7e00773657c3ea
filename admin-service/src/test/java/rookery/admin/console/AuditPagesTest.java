// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditPagesTest {
    /** A spreadsheet runs no cell; user ids stay as they are. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "block|\"block\"",
                "a \"word\"|\"a \"\"word\"\"\"",
                "=1+1|\"'=1+1\"",
                "@SUM(1)|\"'@SUM(1)\"",
                "-1|\"'-1\"",
                "@ada:chat.example|\"@ada:chat.example\"",
                "@ada:chat.example @bob:chat.example|\"'@ada:chat.example @bob:chat.example\""
            })
    void cellsAreTexts(String text, String cell) {
        assertThat(AuditPages.cell(text)).isEqualTo(cell);
    }
}
