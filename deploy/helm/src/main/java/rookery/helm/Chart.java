// SPDX-License-Identifier: Apache-2.0
package rookery.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Helm chart, rendered by Helm. Helm omits hooks from its output, so their annotation is renamed to {@link #HOOK}. */
final class Chart {
    static final String HOOK = "rookery/hook";

    private final Path folder;
    private final Path work;
    private final Helm helm;

    private Chart(Path folder, Path work) {
        this.folder = folder;
        this.work = work;
        this.helm = new Helm(work.resolve("chart"));
    }

    /** @param work an empty folder for temporary files */
    static Chart in(Path folder, Path work) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                var copy = work.resolve("chart").resolve(folder.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Files.readString(file).replace("helm.sh/hook:", HOOK + ":"));
            }
        }
        return new Chart(folder, work);
    }

    LintResult lint() {
        return new Helm(folder).lint().strict().call();
    }

    /**
     * Renders the release {@code rookery} in the namespace {@code chat}.
     *
     * @param values YAML texts; later texts override earlier texts
     */
    List<Manifest> render(String... values) throws IOException {
        return renderFor("1.35.0", values);
    }

    List<Manifest> renderFor(String kubernetes, String... values) throws IOException {
        var template = helm.template().withName("rookery").withNamespace("chat").withKubeVersion(kubernetes);
        for (int i = 0; i < values.length; i++) {
            template.withValuesFile(Files.writeString(work.resolve("values-%d.yaml".formatted(i)), values[i]));
        }
        return Manifest.read(template.call());
    }
}
