// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.ArrayList;
import java.util.List;

/** The ratios of measurements made in pairs. */
final class Ratios {
    private final List<Double> values = new ArrayList<>();

    /** Adds one pair; answers its ratio. */
    double add(double compared, double base) {
        values.add(compared / base);
        return values.getLast();
    }

    /** The middle ratio; the mean of the two in the middle when their number is even. */
    double median() {
        var sorted = sorted();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }

    List<Double> values() {
        return List.copyOf(values);
    }

    private List<Double> sorted() {
        return values.stream().sorted().toList();
    }

    @Override
    public String toString() {
        return "median %.2f (%.2f to %.2f)".formatted(median(), sorted().getFirst(), sorted().getLast());
    }
}
