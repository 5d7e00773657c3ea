// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import rookery.model.id.UserId;

/** The page {@code index.html}: whose data these are, the files of the ZIP, and what the ZIP leaves out. */
final class ArchiveIndex {
    private static final String LEFT_OUT = """
            <h2>What is left out, and why</h2><table>
            <tr><td>Messages of other people</td><td>They are those people's data. Rooms, times and ids of events are here.</td></tr>
            <tr><td>The text of encrypted messages</td><td>The server never had the keys. The events are here as the server has them.
            Backups of keys and messages between devices are here by number and size.</td></tr>
            <tr><td>Passwords, tokens and other secrets</td><td>The server has hashes only, or whoever had the secret could act for the
            person: identifiers of phones for notifications, identifiers of scheduled messages.</td></tr>
            <tr><td>Who reported the person, and why</td><td>They are the reporter's data.</td></tr>
            <tr><td>Quarantined and deleted files</td><td>The row in files.ndjson is here; the bytes are hidden from all users.</td></tr>
            <tr><td>Copies</td><td>Indexes for the search, copies of profiles, memberships and settings in other parts of the server, and
            counters have nothing that is not here. Records that last for minutes to days are not here: tokens of a login, steps of a
            request, pushes on their way, Redis and Kafka.</td></tr>
            <tr><td>Backups and logs of the operators</td><td>They are outside of this server. Ask the operators.</td></tr>
            </table>
            """;

    private final UserId user;
    private final String exportedBy;
    private final Instant now;
    private final List<Entry> entries = new ArrayList<>();

    ArchiveIndex(UserId user, String exportedBy, Instant now) {
        this.user = user;
        this.exportedBy = exportedBy;
        this.now = now;
    }

    /**
     * A file of the ZIP.
     *
     * @param lines 0 for a file that is no list
     */
    record Entry(String name, String title, long lines) {
        private boolean isData() {
            return name.endsWith(".ndjson");
        }

        private String row() {
            var count = isData() ? Long.toString(lines) : "";
            return "<tr><td><a href=\"" + Html.escaped(link()) + "\">" + Html.text(name) + "</a></td><td>" + count
                    + "</td><td>" + Html.text(title) + "</td></tr>\n";
        }

        private String link() {
            return Arrays.stream(name.split("/"))
                    .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                    .collect(Collectors.joining("/"));
        }
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    /** The page in parts. */
    Iterable<String> html() {
        return () -> Stream.concat(
                        Stream.of(head()),
                        Stream.concat(
                                entries.stream().map(Entry::row),
                                Stream.of("</table>" + LEFT_OUT + "</body></html>\n")))
                .iterator();
    }

    private String head() {
        return Html.begin("The data of " + user.value())
                + """
                <p>All that the Matrix server PLACE stores about USER, as of TIME. Exported by BY.</p>
                <p>Files that end in .ndjson have one record in JSON on each line; empty lines mean nothing. Numbers of 13 digits are
                milliseconds since 1970, other times are UTC.</p>
                <h2>Files</h2><table>
                <tr><th>File</th><th>Records</th><th>Content</th></tr>
                """.replace(
                                "PLACE",
                                Html.text(user.value().substring(user.value().indexOf(':') + 1)))
                        .replace("USER", Html.text(user.value()))
                        .replace("TIME", now.toString())
                        .replace("BY.", Html.text(exportedBy) + ".");
    }
}
