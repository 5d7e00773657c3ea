package rookery.helm;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The chart, rendered as Helm renders it. The hooks are rendered as if they were parts of the release, with {@link #HOOK} for the
 * annotation that makes them hooks: Helm keeps them to itself otherwise.
 */
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

    /** @param work an empty folder to work in */
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
     * What would be installed in the namespace chat, by the name rookery.
     *
     * @param values as YAML texts; each outweighs those before it
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
