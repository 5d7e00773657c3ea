package rookery.containers;

import org.testcontainers.DockerClientFactory;

/** The Docker engine that Testcontainers finds. */
public final class Docker {
    private Docker() {}

    /** Says plainly what to do where there is none. */
    public static void require() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException(
                    "no Docker is reached: start it, set DOCKER_HOST, or leave out -Pcontainers");
        }
    }
}
