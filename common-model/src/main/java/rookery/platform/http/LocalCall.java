// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import rookery.model.caller.Caller;

/**
 * A request of the gateway to a {@link LocalService}.
 *
 * @param client the exchange with the client: its method, its body, and the response that the service writes
 * @param uri the address as a request over a connection would have it
 * @param headers the headers for the service
 * @param caller the authenticated caller, which needs no signature because only code of this JVM can create a call
 * @param passedBack filters the headers of the response
 * @param patience the longest time until the response begins
 */
public record LocalCall(
        ServerWebExchange client,
        URI uri,
        HttpHeaders headers,
        Caller caller,
        UnaryOperator<HttpHeaders> passedBack,
        Duration patience) {}
