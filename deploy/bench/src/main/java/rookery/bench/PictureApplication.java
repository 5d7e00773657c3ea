// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import rookery.bench.Picture.Point;
import rookery.program.Program;
import tools.jackson.databind.json.JsonMapper;

/** The program behind {@code deploy/bench/picture}. */
public final class PictureApplication {
    private static final String HELP = """
            deploy/bench/picture draws p50 and p99 of the delivery by rate, from files that deploy/bench/run --json wrote. Figures of other servers, measured on 2026-11-27, are in the picture.

              deploy/bench/picture [OPTION...] FILE...

              --out FILE           the picture (latency.svg)
              --caption TEXT       says what was measured, such as the commit, the date and the machine
            """;

    private static final class PictureOptions {
        @Option(names = "--out")
        Path out = Path.of("latency.svg");

        @Option(names = "--caption")
        String caption = "";

        @Parameters(paramLabel = "file of deploy/bench/run --json")
        List<Path> files = List.of();
    }

    private PictureApplication() {}

    public static void main(String[] arguments) throws IOException {
        Program.run("deploy/bench/picture", HELP, new PictureOptions(), arguments, PictureApplication::draw);
    }

    private static boolean draw(PictureOptions options) throws IOException {
        var points = new ArrayList<Point>();
        for (var file : options.files) {
            var json = JsonMapper.shared().readTree(Files.readString(file));
            for (var numbers : json.isArray() ? json : List.of(json)) {
                var delivered = numbers.path("delivered_ms");
                points.add(new Point(
                        numbers.path("rate").asDouble(0),
                        delivered.path("p50").asDouble(0),
                        delivered.path("p99").asDouble(0)));
            }
        }
        Files.writeString(options.out, new Picture(points, options.caption).svg());
        System.out.println("drew %d rates into %s".formatted(points.size(), options.out));
        return true;
    }
}
