// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rookery.e2e.api.TenantAddress;
import rookery.program.Complaint;

/** The common options of {@code deploy/try} and {@code deploy/self-check}: the server and the accounts. */
final class ClientOptions {
    private static final String USUAL_URL = "http://localhost:8008";

    @Parameters
    private List<String> urls = List.of();

    /** Registration tokens: one for each of the two users, or one valid for both. */
    @Option(names = "--token")
    List<String> tokens = List.of();

    /** A file with two existing accounts, a name and a password in each line; {@code -} for the standard input. */
    @Option(names = "--accounts")
    private @Nullable Path accounts;

    TenantAddress site() {
        if (urls.size() > 1) {
            throw Complaint.usage("only one URL is allowed, not %s and %s".formatted(urls.get(0), urls.get(1)));
        }
        var typed = (urls.isEmpty() ? USUAL_URL : urls.getFirst()).replaceAll("/+$", "");
        try {
            var url = URI.create(typed.matches("https?://.+") ? typed : "http://" + typed);
            if (url.getHost() != null) {
                return TenantAddress.at(url, TenantAddress.NATIVE);
            }
        } catch (IllegalArgumentException _) {
            // refused below
        }
        throw Complaint.usage("%s is no URL such as %s".formatted(typed, USUAL_URL));
    }

    /** Two accounts, or none to register new users. */
    List<Account> accounts() {
        if (accounts == null) {
            return List.of();
        }
        var lines = text(accounts).lines().filter(line -> !line.isBlank()).toList();
        var wellFormed = lines.stream()
                .map(line -> line.strip().split("\\s+", 2))
                .filter(words -> words.length == 2)
                .map(words -> new Account(words[0], words[1]))
                .toList();
        if (lines.size() != 2 || wellFormed.size() != 2) {
            throw Complaint.usage("--accounts needs a file of two lines, each with a name, a space and a password");
        }
        return wellFormed;
    }

    private static String text(Path file) {
        try {
            return file.toString().equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
        } catch (IOException e) {
            throw Complaint.usage("cannot read %s (%s)".formatted(file, e));
        }
    }
}
