// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParseResult;
import rookery.program.Complaint;
import rookery.program.Program;

/** What deploy/admin understands. */
class OperatorApplicationTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "create-admin ada",
                "promote @ada:localhost --tenant other.example",
                "--data elsewhere demote ada",
                "registration-token --grants-admin",
                "registration-token --uses 2",
                "rebuild directory",
                "raise-epoch",
                "raise-epoch user",
                "trust-timeline",
                "reset-password ada --keep-devices --tenant other.example",
                "tokens list",
                "tokens revoke 0123456789abcdef --tenant other.example",
                "operator create backup --read-only",
                "operator list",
                "operator revoke backup",
                "tenant list --search chat",
                "promote --help",
                "help"
            })
    void commandsAreUnderstood(String words) {
        assertThat(parse(words).hasSubcommand()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    promote, 'promote needs one name, such as ada; --help shows how it looks'
                    promote ada bob, unknown argument bob; --help lists the arguments
                    crown ada, unknown argument crown; --help lists the arguments
                    rebuild everything, everything is no directory; --help lists them all
                    raise-epoch sync, sync is no log; --help lists them all
                    promote ada --grants-admin, unknown option --grants-admin; --help lists them all
                    promote ada --tenant, --tenant needs a value; --help shows how it looks
                    """)
    void whatIsNotUnderstoodIsSaid(String words, String line) {
        assertThatThrownBy(() -> parse(words))
                .isInstanceOfSatisfying(
                        Complaint.class,
                        complaint -> assertThat(complaint.exitValue()).isEqualTo(2))
                .hasMessage(line);
    }

    @Test
    void nothingSaidIsNoCommand() {
        assertThat(Program.read(new OperatorApplication().commandLine(), List.of())
                        .hasSubcommand())
                .isFalse();
    }

    private static ParseResult parse(String words) {
        return Program.read(new OperatorApplication().commandLine(), List.of(words.split(" ")));
    }
}
