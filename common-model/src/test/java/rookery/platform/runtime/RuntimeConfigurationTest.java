// SPDX-License-Identifier: Apache-2.0
package rookery.platform.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuntimeConfigurationTest {
    @Test
    void connectionsAreAcceptedByALoopWithoutRequests() {
        var factory = RuntimeConfiguration.reactorResourceFactory();
        factory.start();
        try {
            var loops = factory.getLoopResources();
            var accepting = loops.onServerSelect(true).iterator();
            assertThat(loops.onServer(true)).doesNotContain(accepting.next());
            assertThat(accepting.hasNext()).isFalse();
        } finally {
            factory.stop();
        }
    }
}
