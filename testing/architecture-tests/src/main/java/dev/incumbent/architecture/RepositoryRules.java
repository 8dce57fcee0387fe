package dev.incumbent.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What lies in the repository beside the Java sources. */
final class RepositoryRules {
    static final int LONGEST_README = 120;

    private RepositoryRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("the README has at most " + LONGEST_README + " lines", RepositoryRules::longReadme),
                new Rule("the library takes no XML and no YAML", RepositoryRules::markup),
                new Rule("no C source has more than " + SourceRules.LONGEST_FILE + " lines", RepositoryRules::longC));
    }

    private static List<String> longReadme(House house) {
        Path readme = house.root().resolve("README.md");
        int lines = Files.exists(readme) ? lines(readme) : 0;
        return lines > LONGEST_README ? List.of("README.md has " + lines + " lines") : List.of();
    }

    private static List<String> markup(House house) {
        return house.modules().stream()
                .filter(Floors::isLibrary)
                .flatMap(module -> House.files(house.root().resolve(module).resolve("src/main/resources")).stream())
                .filter(file -> file.toString().matches(".*\\.(xml|ya?ml)"))
                .map(file -> house.root().relativize(file).toString())
                .toList();
    }

    private static List<String> longC(House house) {
        return House.files(house.root().resolve("programs/supervisor")).stream()
                .filter(file -> file.toString().matches(".*\\.[ch]"))
                .filter(file -> lines(file) > SourceRules.LONGEST_FILE)
                .map(file -> house.root().relativize(file) + " has " + lines(file) + " lines")
                .toList();
    }

    private static int lines(Path file) {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
