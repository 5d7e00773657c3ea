package rookery.platform.health;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * Whether the service in the same container is ready, for the health check of an image that has neither shell nor curl: ends with 0
 * when the management port says so, with 1 when not. No Spring: it is started every few seconds.
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
            System.out.println(e); // docker inspect shows it
            return false;
        }
    }
}
