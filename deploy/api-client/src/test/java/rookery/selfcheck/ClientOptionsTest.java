// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.program.Complaint;
import rookery.program.Program;

class ClientOptionsTest {
    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "localhost:8008,http://localhost:8008",
        "http://[::1]:8008/,http://[::1]:8008",
        "https://chat.example//,https://chat.example"
    })
    void anAddressIsAUrlAsWell(String typed, String url) {
        var site = parse(typed).site();

        assertThat(site.base()).hasToString(url);
        assertThat(site.host()).isEqualTo(site.base().getAuthority());
    }

    @Test
    void nothingSaidIsTheUsualAddressAndNewUsers() {
        assertThat(parse().site().base()).hasToString("http://localhost:8008");
        assertThat(parse().accounts()).isEmpty();
        assertThatThrownBy(() -> parse("a", "b").site()).isInstanceOf(Complaint.class);
        assertThatThrownBy(() -> parse("chat example").site()).isInstanceOf(Complaint.class);
    }

    @Test
    void accountsAreTwoLinesOfAFile() throws IOException {
        var file = temporary.resolve("accounts");
        Files.writeString(file, "ada  a pass phrase\n\n@grace:chat.example secret\n");

        assertThat(parse("--accounts", file.toString()).accounts())
                .containsExactly(new Account("ada", "a pass phrase"), new Account("@grace:chat.example", "secret"))
                .first()
                .asString()
                .doesNotContain("phrase");

        Files.writeString(file, "ada secret\ngrace\n");
        assertThatThrownBy(() -> parse("--accounts", file.toString()).accounts())
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("two lines");
        assertThatThrownBy(() -> parse("--accounts=nowhere").accounts()).isInstanceOf(Complaint.class);
    }

    @Test
    void tokensMayBeTwo() {
        assertThat(parse("--token", "one", "--token=two").tokens).isEqualTo(List.of("one", "two"));
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(Program.resource(SelfCheckApplication.class, "self-check-help.txt"))
                .contains(options(new SelfCheckApplication.Options()));
        assertThat(Program.resource(TryApplication.class, "try-help.txt")).contains(options(new ClientOptions()));
    }

    private static Set<String> options(Object program) {
        return Program.commandLine(program).getCommandSpec().optionsMap().keySet();
    }

    private static ClientOptions parse(String... words) {
        return Program.parse(new ClientOptions(), List.of(words));
    }
}
