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

    double median() {
        var sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }

    List<Double> values() {
        return List.copyOf(values);
    }

    @Override
    public String toString() {
        var sorted = values.stream().sorted().toList();
        return "median %.2f (%.2f to %.2f)".formatted(median(), sorted.getFirst(), sorted.getLast());
    }
}
