// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import rookery.e2e.api.TenantAddress;

/** The common options of the programs. Subclasses add options and change defaults. */
class LoadOptions {
    static final int MANY_MEMBERS = 10_000;

    @Option(names = "--url", paramLabel = "an address such as http://localhost:8008")
    URI url = URI.create("http://localhost:8008");

    @Option(names = "--prefix")
    String prefix = TenantAddress.NATIVE;

    @Option(names = "--rooms")
    int rooms = 1;

    @Option(names = "--members")
    int members;

    @Option(names = "--rate")
    double rate = 20;

    @Option(names = "--seconds")
    Duration length = Duration.ofSeconds(60);

    @Option(names = "--warm-up-rate")
    private double warmUpRequests = 330;

    @Option(names = "--warm-up")
    Duration warmUp = Duration.ofSeconds(60);

    /** The data folder of the Rookery at the URL. */
    @Option(names = "--data")
    Path data = Path.of(System.getProperty("rookery.data", "data"));

    /** A file for the results as JSON. */
    @Option(names = "--json")
    @Nullable
    Path json;

    LoadOptions() {
        this(10);
    }

    LoadOptions(int members) {
        this.members = members;
    }

    /** The messages per second of the warm-up: the polls are the rest of the requests. */
    double warmUpRate() {
        return warmUpRequests / (members + 1);
    }
}
