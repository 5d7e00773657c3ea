// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault finds its place in sync-service as it is now. */
class SyncFaultTest {
    private static byte[] bytes(String internalName) throws IOException {
        try (var in = SyncFaultTest.class.getResourceAsStream("/" + internalName + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isPutIntoAClassThatIsStillValid(SyncFault fault) throws IOException {
        byte[] broken = fault.putInto(bytes(fault.type()));
        assertThat(ClassFile.of().verify(broken)).isEmpty();
    }

    @Test
    void saysWhenThePlaceIsNotThere() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> SyncFault.SKIP.putInto(bytes("rookery/sync/answer/streams/TimelineStream")))
                .withMessageContaining("finds no place");
    }
}
