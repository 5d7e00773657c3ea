// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Draws latencies of the delivery by rate as SVG. Both axes are logarithmic. */
final class Picture {
    private static final double RATE_MIN = 4;
    private static final double RATE_MAX = 1_600;
    private static final double MILLIS_MIN = 3;
    private static final double MILLIS_MAX = 4_000;
    private static final int LEFT = 70;
    private static final int RIGHT = 740;
    private static final int TOP = 40;
    private static final int BOTTOM = 360;
    private static final List<Integer> RATES = List.of(5, 10, 20, 60, 100, 300, 600, 1_000);
    private static final List<Integer> MILLIS = List.of(5, 10, 20, 50, 100, 200, 500, 1_000, 2_000);
    private static final String MACHINES =
            "Bars: 2026-11-27, one process of each server, two cores shared with the load, machine A or the slower B; Rookery at 121b341.";

    private static final String STYLE = """
            <style>
            text { font: 13px system-ui, sans-serif; fill: #1f2328 }
            .small { font-size: 11px }
            .grid { stroke: #d0d7de }
            .rookery { stroke: #0969da; fill: #0969da }
            .synapse { stroke: #bc4c00; fill: #bc4c00 }
            .tuwunel { stroke: #1a7f37; fill: #1a7f37 }
            .dendrite { stroke: #8250df; fill: #8250df }
            .line { fill: none; stroke-width: 2.5 }
            .bar { stroke-width: 2 }
            .p99 { stroke-dasharray: 6 4 }
            text.rookery, text.synapse, text.tuwunel, text.dendrite { stroke: none }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3 }
              .grid { stroke: #30363d }
              .rookery { stroke: #58a6ff; fill: #58a6ff }
              .synapse { stroke: #f0883e; fill: #f0883e }
              .tuwunel { stroke: #3fb950; fill: #3fb950 }
              .dendrite { stroke: #bc8cff; fill: #bc8cff }
            }
            </style>
            """;

    /** From deploy/docs/comparison.md: the lowest p50 and the highest p99 of a rate. */
    static final List<Reference> REFERENCES = List.of(
            new Reference("Synapse", "A", new Point(10, 67, 99), 0, "start"),
            new Reference("tuwunel", "B", new Point(20, 6, 12), -14, "end"),
            new Reference("Rookery", "A", new Point(20, 9, 19), 0, "end"),
            new Reference("Rookery", "B", new Point(20, 11, 25), 14, "start"),
            new Reference("tuwunel", "B", new Point(300, 106, 238), -14, "end"),
            new Reference("Rookery", "A", new Point(300, 82, 319), 0, "end"),
            new Reference("Rookery", "B", new Point(300, 206, 644), 14, "start"),
            new Reference("dendrite", "B", new Point(5, 1_399, 2_002), 0, "start"));

    private final List<Point> points;
    private final String caption;
    private final StringBuilder out = new StringBuilder();

    /** Latencies at a rate. */
    record Point(double rate, double p50, double p99) {}

    /** A bar beside its rate, with the label on its right (start) or left (end). */
    record Reference(String server, String machine, Point point, int shift, String anchor) {}

    Picture(List<Point> points, String caption) {
        this.points =
                points.stream().sorted(Comparator.comparingDouble(Point::rate)).toList();
        this.caption = caption;
    }

    String svg() {
        out.setLength(0);
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 450\" role=\"img\">\n");
        out.append("<title>Delivery of a message by rate: p50 and p99</title>\n")
                .append(STYLE);
        axes();
        series("p50", points.stream().map(Point::p50).toList());
        series("p99", points.stream().map(Point::p99).toList());
        REFERENCES.forEach(this::bar);
        text(LEFT, 420, "small", caption);
        text(LEFT, 437, "small", MACHINES);
        return out.append("</svg>\n").toString();
    }

    private void axes() {
        for (int rate : RATES) {
            add("<path class=\"grid\" d=\"M%.1f %d V%d\"/>".formatted(x(rate), TOP, BOTTOM));
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,d</text>".formatted(x(rate), BOTTOM + 18, rate));
        }
        for (int millis : MILLIS) {
            add("<path class=\"grid\" d=\"M%d %.1f H%d\"/>".formatted(LEFT, y(millis), RIGHT));
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,d</text>".formatted(LEFT - 8, y(millis) + 4, millis));
        }
        text(LEFT, 22, "", "ms from the send to the poll of each member; 100 users in 10 rooms, all on long polls");
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">messages/s</text>".formatted(RIGHT, BOTTOM + 36));
        text(LEFT, BOTTOM + 36, "small", "line and lower end of a bar: p50; dashes and upper end: p99");
    }

    private void series(String name, List<Double> millis) {
        var path = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            path.append(
                    "%s%.1f %.1f".formatted(i == 0 ? "M" : " L", x(points.get(i).rate()), y(millis.get(i))));
            add("<circle class=\"rookery\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>"
                    .formatted(x(points.get(i).rate()), y(millis.get(i))));
        }
        if (!points.isEmpty()) {
            add("<path class=\"rookery line %s\" d=\"%s\"/>".formatted(name, path));
            double labelX = x(points.getLast().rate()) - 6;
            add("<text class=\"rookery\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">Rookery %s</text>"
                    .formatted(labelX, y(millis.getLast()) - 8, name));
        }
    }

    private void bar(Reference reference) {
        var style = reference.server().toLowerCase(Locale.ROOT);
        double x = x(reference.point().rate()) + reference.shift();
        double p50 = y(reference.point().p50());
        double p99 = y(reference.point().p99());
        add("<path class=\"%s bar\" d=\"M%.1f %.1f H%.1f M%.1f %.1f V%.1f M%.1f %.1f H%.1f\"/>"
                .formatted(style, x - 5, p50, x + 5, x, p50, p99, x - 5, p99, x + 5));
        add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s (%s)</text>"
                .formatted(
                        style,
                        reference.anchor().equals("end") ? x - 7 : x + 7,
                        p99 + 2,
                        reference.anchor(),
                        reference.server(),
                        reference.machine()));
    }

    private void text(int x, int y, String style, String text) {
        add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>".formatted(style, x, y, escaped(text)));
    }

    static double x(double rate) {
        return LEFT + (RIGHT - LEFT) * share(rate, RATE_MIN, RATE_MAX);
    }

    static double y(double millis) {
        return BOTTOM - (BOTTOM - TOP) * share(millis, MILLIS_MIN, MILLIS_MAX);
    }

    private static double share(double value, double min, double max) {
        return Math.log(Math.clamp(value, min, max) / min) / Math.log(max / min);
    }

    private void add(String line) {
        out.append(line).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
