// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.running.Rookery;

/** The mails of a cluster without a mail server, which are in its data folder, and what people do with the links in them. */
final class Mailbox {
    private static final Pattern LINK =
            Pattern.compile("https?://[^\\s\"<>]+/validate/email/submitToken\\?[^\\s\"<>]+");
    private static final Map<String, String> FORM = Map.of("Content-Type", "application/x-www-form-urlencoded");

    private final Path folder;
    private final Set<URI> used = new HashSet<>();

    Mailbox(Rookery rookery) {
        folder = rookery.plan().data().resolve("mail");
    }

    /** The mails to an address. */
    List<String> mails(String address) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.map(Mailbox::text)
                    .filter(text -> text.contains(address))
                    .toList();
        }
    }

    /** The link in the mail to an address that was not read yet. */
    URI link(String address) throws IOException {
        var fresh = mails(address).stream()
                .flatMap(text -> LINK.matcher(text).results().limit(1))
                .map(found -> URI.create(found.group().replace("&amp;", "&")))
                .filter(link -> !used.contains(link))
                .toList();
        assertThat(fresh).as("new mails to %s", address).hasSize(1);
        used.add(fresh.getFirst());
        return fresh.getFirst();
    }

    /** Opens the link in the new mail and presses the button, as a person does. */
    void follow(Http http, String address) throws IOException {
        var link = link(address);
        var page = look(http, link);
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(press(http, link).status()).isIn(200, 302);
    }

    static Answer look(Http http, URI link) throws IOException {
        return http.raw("GET", path(link) + "?" + link.getRawQuery(), Map.of(), "");
    }

    static Answer press(Http http, URI link) throws IOException {
        return http.raw("POST", path(link), FORM, "page=1&" + link.getRawQuery());
    }

    private static String path(URI link) {
        return link.getRawPath().replaceFirst("^/_api/client", "");
    }

    /** Quoted-printable is undone as far as a link needs it. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8)
                    .replace("=\r\n", "")
                    .replace("=\n", "")
                    .replace("=3D", "=");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
