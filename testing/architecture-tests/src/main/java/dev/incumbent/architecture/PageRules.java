package dev.incumbent.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the Markdown pages of the repository point to. Decision records and the changelog tell of what was, and may name what is gone. */
final class PageRules {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(#[^)\\s]+)?\\)");
    private static final Pattern PROGRAM = Pattern.compile("\\b((?:scripts|benchmarks|spec)/[a-z][a-z-]+)(?![\\w./-])");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private PageRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("every link of a page leads somewhere", PageRules::brokenLinks),
                new Rule("every program that a page names is there", PageRules::missingPrograms));
    }

    private static List<String> brokenLinks(House house) {
        List<String> found = new ArrayList<>();
        for (Path page : pages(house)) {
            Matcher link = LINK.matcher(text(page));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains(":") && !leadsSomewhere(page, target, link.group(2))) {
                    found.add(house.root().relativize(page) + " links to " + link.group());
                }
            }
        }
        return found;
    }

    private static boolean leadsSomewhere(Path page, String target, String anchor) {
        Path file = target.isEmpty() ? page : page.resolveSibling(target);
        return Files.exists(file) && (anchor == null || anchors(file).contains(anchor));
    }

    /** As GitHub makes them of headings: lower case, blanks as dashes, other signs left out. */
    private static List<String> anchors(Path page) {
        return HEADING.matcher(text(page))
                .results()
                .map(heading -> "#"
                        + heading.group(1)
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w\\- ]", "")
                                .replace(' ', '-'))
                .toList();
    }

    private static List<String> missingPrograms(House house) {
        List<String> found = new ArrayList<>();
        for (Path page : pages(house)) {
            Matcher program = PROGRAM.matcher(text(page));
            while (program.find()) {
                if (!Files.exists(house.root().resolve(program.group(1)))) {
                    found.add(house.root().relativize(page) + " names " + program.group(1));
                }
            }
        }
        return found;
    }

    private static List<Path> pages(House house) {
        List<Path> pages = new ArrayList<>(House.files(house.root().resolve("docs")));
        pages.addAll(List.of(
                house.root().resolve("README.md"),
                house.root().resolve("CONTRIBUTING.md"),
                house.root().resolve("SECURITY.md")));
        pages.removeIf(page ->
                !page.toString().endsWith(".md") || page.toString().contains("decisions") || !Files.exists(page));
        return pages;
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
