// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;

/** Starts the three servers, prints their process ids, and ends when its standard input does. */
final class ThreeServersApplication {
    private ThreeServersApplication() {}

    public static void main(String[] arguments) throws IOException {
        System.out.printf(
                "%d %d %d%n",
                TestServers.postgres().child().pid(),
                TestServers.kafka().child().pid(),
                TestServers.redis().child().pid());
        while (System.in.read() >= 0) {
            // nothing is ever said
        }
    }
}
