// SPDX-License-Identifier: Apache-2.0
package rookery.platform.health;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * The health check of an image without shell and curl: exits with 0 if the management port of the container's service answers
 * that the service is ready, else with 1. Starts every few seconds, and therefore without Spring.
 */
public final class ContainerHealth {
    private static final int PATIENCE_MILLIS = 5_000;

    private ContainerHealth() {}

    public static void main(String[] arguments) {
        var port = System.getenv().getOrDefault("MANAGEMENT_SERVER_PORT", "9090");
        System.exit(isReady("http://127.0.0.1:" + port + "/actuator/health/readiness") ? 0 : 1);
    }

    private static boolean isReady(String address) {
        try {
            var connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            System.out.println(e); // visible in docker inspect
            return false;
        }
    }
}
