// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import rookery.bench.RowsOptions.Kind;
import rookery.program.Program;

class RowsOptionsTest {
    @Test
    void everyKindIsInTheHelp() {
        for (var kind : EnumSet.allOf(Kind.class)) {
            assertThat(RowsOptions.HELP).contains("\n" + kind.name().toLowerCase(Locale.ROOT) + ":");
        }
    }

    @Test
    void kindsAreMeasuredInTheirOrder() {
        var options = Program.parse(new RowsOptions(), List.of("--only", "large,whoami"));
        assertThat(options.kinds).containsExactly(Kind.WHOAMI, Kind.LARGE);
        assertThatThrownBy(() -> Program.parse(new RowsOptions(), List.of("--only", "all")))
                .hasMessageStartingWith("--only needs some of");
    }

    @Test
    void factorsOfAnOverloadAreRead() {
        assertThat(Program.parse(new OverloadOptions(), List.of("--factors", "1.1,2")).factors)
                .containsExactly(1.1, 2.0);
    }
}
