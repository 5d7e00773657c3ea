package rookery.e2e.restore;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the person at the keyboard asked for.
 *
 * @param deploy the folder with the scripts that start, back up and restore
 * @param data where the data folders and the backup are kept
 * @param before how long they talk before the backup
 * @param lost how long they go on afterwards, which is lost
 * @param people of the first tenant; of the second one a third as many
 */
record Options(
        Path deploy,
        Path data,
        Duration before,
        Duration lost,
        int people,
        double perSecond,
        @Nullable String cluster,
        boolean help) {
    static final String HELP = """
            deploy/e2e/restore      clients talk, a backup is taken meanwhile, and they go on; then everything is stopped and restored into
                                    a new folder, and all of them come back with the tokens that they have

              --before N            seconds before the backup (20)
              --lost N              seconds after it, which are lost (20)
              --people N            clients of the first tenant, half of whom stop listening before the backup; a third of N of another (12)
              --rate N              messages a second (50)
              --cluster LIST        of processes, such as room=2,sync=2; otherwise one JVM
              --data DIR            where the data is kept; removed before and afterwards
            """;

    static Options parse(List<String> words, Path deploy, Path data) {
        var options = new Options(deploy, data, Duration.ofSeconds(20), Duration.ofSeconds(20), 12, 50, null, false);
        var rest = words.iterator();
        while (rest.hasNext()) {
            options = options.with(rest.next(), rest);
        }
        return options;
    }

    private Options with(String option, Iterator<String> rest) {
        if (option.equals("--help") || option.equals("-h")) {
            return new Options(deploy, data, before, lost, people, perSecond, cluster, true);
        }
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value, or is unknown; --help lists them all");
        }
        String value = rest.next();
        return switch (option) {
            case "--before" -> new Options(deploy, data, seconds(value), lost, people, perSecond, cluster, help);
            case "--lost" -> new Options(deploy, data, before, seconds(value), people, perSecond, cluster, help);
            case "--people" ->
                new Options(deploy, data, before, lost, Integer.parseInt(value), perSecond, cluster, help);
            case "--rate" -> new Options(deploy, data, before, lost, people, Double.parseDouble(value), cluster, help);
            case "--cluster" -> new Options(deploy, data, before, lost, people, perSecond, value, help);
            case "--data" -> new Options(deploy, Path.of(value), before, lost, people, perSecond, cluster, help);
            default -> throw new IllegalArgumentException("unknown option %s; --help lists them all".formatted(option));
        };
    }

    private static Duration seconds(String value) {
        return Duration.ofSeconds(Long.parseLong(value));
    }
}
