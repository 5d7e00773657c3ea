// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The documents in the repository, and their sections, to which code may refer. */
final class Documents {
    private static final Path DOCS = Path.of("deploy", "docs");
    private static final Path DECISIONS = Path.of("deploy", "decisions");

    private static final Set<String> NO_PAGES = Set.of(".git", "node_modules", "target");
    /** Written by a program. */
    private static final Path GENERATED = Path.of("e2e", "INTERFACE.md");

    private static final String NUMBER = "D?\\d+(?:\\.\\d+)?";
    private static final Pattern EACH_NUMBER = Pattern.compile(NUMBER);
    /** Such as {@code contract.md 1, D7 and 3.1}; a paragraph may follow, as in {@code design.md 12, Lost commits}. */
    private static final Pattern REFERENCE = Pattern.compile("\\b(contract|design)\\.md (" + NUMBER
            + "(?:(?:, and|,| and| to) " + NUMBER + ")*)(?:, ([A-Z][a-z]+(?: [a-z]+)*))?");
    /** A line break inside a reference, with the beginning of a comment line. */
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\n\\s*(?:\\*|//|--|#)?\\s*");

    private static final Pattern HEADING = Pattern.compile("(##|###) (\\d+(?:\\.\\d+)?)\\b.*");
    private static final Pattern ITEM = Pattern.compile("(\\d+)\\. .*");
    private static final Pattern DIFFERENCE = Pattern.compile("\\| (D\\d+) \\|.*");
    private static final Pattern PARAGRAPH = Pattern.compile("\\*\\*([A-Z][^*.]+)\\.\\*\\*.*");

    private final Path root = root();
    private final Map<String, Set<String>> sections = new HashMap<>();

    /** All documents for people that belong to no module, without pictures of pixels. */
    List<Path> all() {
        var all = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve("pom.xml")));
        for (var folder : List.of(DOCS, DECISIONS)) {
            try (var files = Files.list(root.resolve(folder))) {
                files.filter(file -> !file.toString().endsWith(".png")).sorted().forEach(all::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all;
    }

    /** All pages of the repository, in Markdown. */
    List<Path> pages() {
        var pages = new ArrayList<Path>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NO_PAGES.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".md") && !file.endsWith(GENERATED)) {
                        pages.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages;
    }

    /** Returns the references of the text to missing sections. */
    List<String> missing(String text) {
        var joined = LINE_BREAK.matcher(text).replaceAll(" ");
        return REFERENCE
                .matcher(joined)
                .results()
                .flatMap(found -> missing(found.group(1), found.group(2), found.group(3)))
                .toList();
    }

    private Stream<String> missing(String document, String numbers, @Nullable String paragraph) {
        var known = sections.computeIfAbsent(document, this::sectionsOf);
        var asked = Stream.concat(
                EACH_NUMBER.matcher(numbers).results().map(number -> number.group()), Stream.ofNullable(paragraph));
        return asked.filter(section ->
                        known.stream().noneMatch(section.equals(paragraph) ? section::startsWith : section::equals))
                .map(section -> document + ".md " + section);
    }

    private Set<String> sectionsOf(String document) {
        var found = new HashSet<String>();
        var section = "";
        for (var line : text(root.resolve(DOCS).resolve(document + ".md")).split("\n", -1)) {
            var heading = HEADING.matcher(line);
            var item = ITEM.matcher(line);
            if (heading.matches()) {
                section = heading.group(2);
                found.add(section);
            } else if (item.matches()) {
                found.add(section + "." + item.group(1));
            }
            for (var named : List.of(DIFFERENCE.matcher(line), PARAGRAPH.matcher(line))) {
                if (named.matches()) {
                    found.add(named.group(1));
                }
            }
        }
        return found;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tests run in the folder of their module. */
    static Path root() {
        for (@Nullable Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(DOCS))) {
                return folder;
            }
        }
        throw new IllegalStateException("there are no documents above this module");
    }
}
