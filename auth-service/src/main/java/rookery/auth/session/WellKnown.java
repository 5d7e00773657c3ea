// SPDX-License-Identifier: Apache-2.0
package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;

/** The base URL for the client, in the format of the specification's discovery document. */
record WellKnown(@JsonProperty("m.homeserver") Homeserver homeserver) {
    WellKnown(URI baseUrl) {
        this(new Homeserver(baseUrl));
    }

    record Homeserver(@JsonProperty("base_url") URI baseUrl) {}
}
