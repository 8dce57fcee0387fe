package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the README and the library's Javadoc show is what is compiled here, or among the tests of the starter for Spring Boot, word for word but for line breaks, comments and suppressed warnings. */
class SnippetsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern IN_MARKDOWN = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IN_JAVADOC = Pattern.compile("<pre>\\{@code\n(.*?)\\* }</pre>", Pattern.DOTALL);

    private final String examples =
            read(ROOT.resolve("examples/src")) + read(ROOT.resolve("integrations/spring-boot/src"));

    SnippetsTest() throws IOException {}

    @Test
    void everySnippetOfTheReadmeAndOfThePagesIsAnExample() throws IOException {
        List<String> snippets = snippets(IN_MARKDOWN, read(ROOT.resolve("README.md")) + read(ROOT.resolve("docs")));

        assertThat(snippets)
                .isNotEmpty()
                .allSatisfy(snippet -> assertThat(examples).contains(snippet));
    }

    @Test
    void everySnippetOfTheLibrarysJavadocIsAnExample() throws IOException {
        List<String> snippets = new ArrayList<>();
        for (String module : List.of("core/election", "core/fence", "coordinators/sql", "integrations/health")) {
            snippets.addAll(snippets(IN_JAVADOC, read(ROOT.resolve(module + "/src/main"))));
        }

        assertThat(snippets)
                .isNotEmpty()
                .allSatisfy(snippet -> assertThat(examples).contains(snippet));
    }

    private static List<String> snippets(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> plain(found.group(1)))
                .toList();
    }

    /** All Java and Markdown at or beneath a path, as it is where snippets are sought in it, else without blanks. */
    private static String read(Path path) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(one -> one.toString().matches(".*\\.(java|md)"))
                    .sorted()
                    .toList()) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return path.endsWith("src") ? plain(text.toString()) : text.toString();
    }

    private static String plain(String code) {
        Matcher comments = Pattern.compile("//[^\n]*|/\\*\\*[^\n]*\\*/|@SuppressWarnings[^\n]*|(?m)^ *\\* ?")
                .matcher(code);
        return comments.replaceAll("").replaceAll("\\s+", "");
    }
}
