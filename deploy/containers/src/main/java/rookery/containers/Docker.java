// SPDX-License-Identifier: Apache-2.0
package rookery.containers;

import org.testcontainers.DockerClientFactory;

/** The Docker engine that Testcontainers finds. */
public final class Docker {
    private Docker() {}

    /** Fails with the remedy when no Docker engine is reachable. */
    public static void require() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException(
                    "no Docker is reached: start it, set DOCKER_HOST, or leave out -Pcontainers");
        }
    }
}
