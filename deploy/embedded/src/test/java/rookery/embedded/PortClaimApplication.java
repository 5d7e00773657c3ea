// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import java.io.IOException;

/** Prints whether it may hand out the port it is given, and a free port of its own, and ends when its standard input does. */
final class PortClaimApplication {
    private PortClaimApplication() {}

    public static void main(String[] arguments) throws IOException {
        System.out.printf("%s %d%n", PortClaims.claim(Integer.parseInt(arguments[0])), Ports.free());
        while (System.in.read() >= 0) {
            // nothing is ever said
        }
    }
}
