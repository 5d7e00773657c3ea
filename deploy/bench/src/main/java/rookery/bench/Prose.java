// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.random.RandomGenerator;

/** Generates text with word frequencies like those of a language. */
final class Prose {
    private static final int WORDS = 20_000;
    private static final String CONSONANTS = "bcdfghklmnprstvw";
    private static final String VOWELS = "aeiou";

    private final RandomGenerator random;

    Prose(RandomGenerator random) {
        this.random = random;
    }

    /** Returns words and spaces with exactly the given number of characters. */
    String text(int characters) {
        var out = new StringBuilder(characters + 16);
        while (out.length() < characters) {
            out.append(word((int) Math.pow(WORDS, random.nextDouble()))).append(' ');
        }
        return out.substring(0, characters);
    }

    /** The word of a frequency rank; frequent words are short. */
    private static String word(int rank) {
        var word = new StringBuilder();
        int rest = rank;
        do {
            word.append(CONSONANTS.charAt(rest % CONSONANTS.length()));
            rest /= CONSONANTS.length();
            word.append(VOWELS.charAt(rest % VOWELS.length()));
            rest /= VOWELS.length();
        } while (rest > 0);
        return word.toString();
    }
}
