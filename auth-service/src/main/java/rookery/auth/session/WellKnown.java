package rookery.auth.session;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URI;

/** Where a client finds this server from now on, in the form of the standard's discovery document. */
record WellKnown(@JsonProperty("m.homeserver") Homeserver homeserver) {
    WellKnown(URI baseUrl) {
        this(new Homeserver(baseUrl));
    }

    record Homeserver(@JsonProperty("base_url") URI baseUrl) {}
}
