package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
    /** As many as there are, so that each is come by again. */
    private static final int ROUND = 12_000;

    @Test
    void keptPortIsHandedOutToNobody(@TempDir Path folder) {
        int kept = Ports.free();
        Ports.keep(kept);
        for (int i = 0; i < ROUND; i++) {
            assertThat(Ports.free()).isNotEqualTo(kept);
        }
        assertThat(Ports.remembered(folder.resolve("port"))).isNotEqualTo(kept);
    }

    @Test
    void rememberedPortIsNotTakenWhereItIsKept(@TempDir Path folder) throws Exception {
        int kept = Ports.free();
        Files.writeString(folder.resolve("port"), kept + "\n");
        assertThat(Ports.remembered(folder.resolve("port"))).isEqualTo(kept);
        Ports.keep(kept);
        int other = Ports.remembered(folder.resolve("port"));
        assertThat(other).isNotEqualTo(kept);
        assertThat(Files.readString(folder.resolve("port"))).isEqualTo(other + "\n");
    }
}
