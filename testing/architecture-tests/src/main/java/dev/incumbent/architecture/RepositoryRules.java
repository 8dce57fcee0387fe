package dev.incumbent.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What lies in the repository beside the Java sources. */
final class RepositoryRules {
    static final int LONGEST_README = 120;
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>.*?</dependency>", Pattern.DOTALL);
    private static final Pattern DRIVER =
            Pattern.compile("<artifactId>(postgresql|mariadb-java-client|mysql-connector-j|h2)</artifactId>");
    private static final Pattern OVERRIDDEN = Pattern.compile("<(skipTests|maven\\.test\\.skip)>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>(.*?)</artifactId>");
    private static final Pattern LEFT_BEHIND =
            Pattern.compile("<optional>true</optional>|<scope>(test|provided)</scope>");

    private RepositoryRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("the README has at most " + LONGEST_README + " lines", RepositoryRules::longReadme),
                new Rule("the library takes no XML and no YAML", RepositoryRules::markup),
                new Rule(
                        "an application brings its SQL driver, all but SQLite's",
                        RepositoryRules::driversThatAreBrought),
                new Rule("Maven's own switch skips the tests", RepositoryRules::overriddenSwitches),
                new Rule(
                        "a module is not published, or says what it is and is in the BOM",
                        RepositoryRules::halfPublished),
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

    /** H2 on the class path alone makes an in-memory database of a Spring application that forgot to name its own. */
    private static List<String> driversThatAreBrought(House house) {
        return house.modules().stream()
                .filter(Floors::isLibrary)
                .map(module -> house.root().resolve(module).resolve("pom.xml"))
                .filter(Files::exists)
                .flatMap(pom -> DEPENDENCY
                        .matcher(text(pom))
                        .results()
                        .map(MatchResult::group)
                        .filter(dependency -> DRIVER.matcher(dependency).find()
                                && !LEFT_BEHIND.matcher(dependency).find())
                        .map(dependency ->
                                house.root().relativize(pom) + " brings " + dependency.replaceAll("\\s+", "")))
                .toList();
    }

    /** {@code mvn install -DskipTests} works where no pom decides that itself. */
    private static List<String> overriddenSwitches(House house) {
        return Stream.concat(Stream.of(""), house.modules().stream())
                .map(module -> house.root().resolve(module).resolve("pom.xml"))
                .filter(Files::exists)
                .flatMap(pom -> OVERRIDDEN
                        .matcher(text(pom))
                        .results()
                        .map(found -> house.root().relativize(pom) + " sets " + found.group()))
                .toList();
    }

    /** A release would publish it unseen, or leave out what the BOM promises. */
    private static List<String> halfPublished(House house) {
        Path bom = house.root().resolve("bom/pom.xml");
        String listed = Files.exists(bom) ? text(bom) : "";
        return house.modules().stream()
                .map(module -> house.root().resolve(module).resolve("pom.xml"))
                .filter(pom -> Files.exists(pom) && !pom.equals(bom))
                .flatMap(pom -> halfPublished(text(pom), listed)
                        .map(what -> house.root().relativize(pom) + what))
                .toList();
    }

    private static Stream<String> halfPublished(String pom, String bom) {
        boolean published = !pom.contains("<release.skip>true</release.skip>");
        boolean listed = ARTIFACT.matcher(pom)
                .results()
                .anyMatch(found -> bom.contains("<artifactId>" + found.group(1) + "</artifactId>"));
        return Stream.of(
                        listed == published
                                ? ""
                                : published ? " is not in the BOM" : " is in the BOM, and not published",
                        published && !pom.contains("<description>") ? " has no description" : "")
                .filter(what -> !what.isEmpty());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
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
