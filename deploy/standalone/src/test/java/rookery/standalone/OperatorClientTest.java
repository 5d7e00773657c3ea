// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.program.Complaint;

/** Where deploy/admin finds the operator's token when the environment names the API. */
class OperatorClientTest {
    @TempDir
    private Path folder;

    @Test
    void theTokenIsInTheEnvironmentOrInAFile() throws IOException {
        var file =
                Files.writeString(folder.resolve("operator-token"), "of-file\n").toString();

        assertThat(OperatorClient.token(Map.of("ROOKERY_OPERATOR_TOKEN_FILE", file)))
                .isEqualTo("of-file");
        assertThat(OperatorClient.token(
                        Map.of("ROOKERY_OPERATOR_TOKEN", "of-variable", "ROOKERY_OPERATOR_TOKEN_FILE", file)))
                .isEqualTo("of-variable");
    }

    @Test
    void aMissingTokenIsSaid() {
        assertThatThrownBy(() -> OperatorClient.token(Map.of()))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining("ROOKERY_OPERATOR_TOKEN_FILE");
        var missing = folder.resolve("missing").toString();
        assertThatThrownBy(() -> OperatorClient.token(Map.of("ROOKERY_OPERATOR_TOKEN_FILE", missing)))
                .isInstanceOf(Complaint.class)
                .hasMessageContaining(missing);
    }
}
