package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever meets a public type of what they use finds a program here that uses it, compiled. */
class EveryTypeHasAnExampleTest {
    private static final Path ROOT = Path.of("..");

    /** Where users find what they call: the library, how operations end, the fences, health checks, and coordinators that no URI opens. */
    private static final List<String> PACKAGES = List.of(
            "core/election/src/main/java/dev/incumbent",
            "core/protocol/src/main/java/dev/incumbent/outcome",
            "core/fence/src/main/java/dev/incumbent/fence",
            "integrations/health/src/main/java/dev/incumbent/health");

    /** Found by their URI, called by H2 itself or by the command line, made for tests, or shared by the quorum's two sides. */
    private static final Pattern NOT_CALLED =
            Pattern.compile(".*Provider|H2.*|Memory.*|Wire|FaultyWire|Line|Words|Quorum(Servers|Operator)");

    @Test
    void everyTypeThatUsersCallIsUsedInAnExample() throws IOException {
        String examples = examples();

        List<String> without = publicTypes().stream()
                .filter(name ->
                        !Pattern.compile("\\b" + name + "\\b").matcher(examples).find())
                .toList();

        assertThat(publicTypes()).contains("Elections", "Thaw", "StaleTokenException", "EtcdFence", "JdbcCoordinator");
        assertThat(without).as("public types without an example").isEmpty();
    }

    private static String examples() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                if (!file.endsWith("EveryTypeHasAnExampleTest.java")) {
                    text.append(Files.readString(file).replaceAll("(?m)^import .*$", ""));
                }
            }
        }
        return text.toString();
    }

    private static List<String> publicTypes() throws IOException {
        List<String> names = new ArrayList<>();
        for (String one : PACKAGES) {
            add(names, ROOT.resolve(one), 1);
        }
        for (String side : List.of("coordinators", "fences")) {
            try (Stream<Path> modules = Files.list(ROOT.resolve(side))) {
                for (Path module : modules.map(folder -> folder.resolve("src/main/java"))
                        .filter(Files::exists)
                        .toList()) {
                    add(names, module, Integer.MAX_VALUE);
                }
            }
        }
        return names;
    }

    private static void add(List<String> names, Path folder, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                boolean isPublic = Files.readString(file).matches("(?s).*\\npublic [a-z -]*" + name + "\\b.*");
                if (isPublic && !NOT_CALLED.matcher(name).matches()) {
                    names.add(name);
                }
            }
        }
    }
}
