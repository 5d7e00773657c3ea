// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.text.Normalizer;

/**
 * Names of entries of a ZIP, made of names that people chose: without separators of paths, control characters and characters that
 * change the direction of text. A number before the name makes an entry unique, also on disks that ignore the case.
 */
final class EntryNames {
    private static final int CHARACTERS_MAX = 60;
    private static final int EXTENSION_MAX = 10;
    private static final String FORBIDDEN = "/\\:*?\"<>|";

    private EntryNames() {}

    /** A part of a path such as {@code 00007 Tea}; the number alone if nothing is left of the name. */
    static String numbered(int number, String name) {
        var safe = safe(name);
        return "%05d".formatted(number) + (safe.isEmpty() ? "" : " " + safe);
    }

    /** The name without what a file system or a reader may misunderstand, such as two dots; empty if nothing is left. */
    static String safe(String name) {
        var kept = new StringBuilder();
        Normalizer.normalize(name, Normalizer.Form.NFC).codePoints().forEach(character -> append(kept, character));
        return stripped(shortened(stripped(kept.toString().replaceAll("\\.{2,}", "."))));
    }

    private static void append(StringBuilder kept, int character) {
        switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> {
                // dropped
            }
            default -> kept.appendCodePoint(FORBIDDEN.indexOf(character) < 0 ? character : '_');
        }
    }

    /** Windows drops dots and spaces at the end of a name; a dot at the beginning hides a file. */
    private static String stripped(String name) {
        return name.replaceAll("^[.\\s]+|[.\\s]+$", "");
    }

    /** Keeps the extension, from which programs know the type of a file. */
    private static String shortened(String name) {
        int length = name.codePointCount(0, name.length());
        if (length <= CHARACTERS_MAX) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        var extension = dot > 0 && name.length() - dot <= EXTENSION_MAX ? name.substring(dot) : "";
        return name.substring(0, name.offsetByCodePoints(0, CHARACTERS_MAX - extension.length())) + extension;
    }
}
