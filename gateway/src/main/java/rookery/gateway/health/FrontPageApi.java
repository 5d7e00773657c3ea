// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.health;

import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /}: a page for people who open the address in a browser. */
@RestController
class FrontPageApi {
    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Rookery</title>
            <style>body { font: 1em/1.5 sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }</style>
            <h1>Rookery</h1>
            <p>This is a chat server. To chat, open a Matrix client such as Element or Cinny and give it the address of this page
            as its homeserver.</p>
            <p>For administrators: <a href="/_rookery/console">console</a>.</p>
            <p>For programs: <a href="/_api/client/versions">versions</a>, <a href="/_api/client/health/ready">health</a>,
            <a href="/_api/client/stats">statistics</a>, <a href="/_api/client/metrics">metrics</a>.</p>
            </html>
            """;

    @GetMapping("/")
    ResponseEntity<String> page() {
        return ResponseEntity.ok()
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
                .body(PAGE);
    }
}
