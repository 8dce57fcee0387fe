package dev.incumbent.cli.story;

import dev.incumbent.cli.frame.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The page as one file that needs no network: markup, style, script and data. */
public final class StoryPage {
    private StoryPage() {}

    /** Refuses a file that cannot be written, before there is anything to write. What is in it stays. */
    public static void check(Path file) {
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException failure) {
            throw cannotBeWritten(file, failure);
        }
    }

    /** Writes it, with that data in JSON; a file that cannot be written is refused. */
    public static void write(Path file, String json) {
        try {
            Files.writeString(file, text(json));
        } catch (IOException failure) {
            throw cannotBeWritten(file, failure);
        }
    }

    private static RuntimeException cannotBeWritten(Path file, IOException failure) {
        return Refusal.usage("--html " + file + ": it cannot be written there (" + failure.getMessage() + ")");
    }

    /** No text of the data can end the element that holds it. */
    static String text(String json) {
        return resource("page.html")
                .replace("/*STYLE*/", resource("page.css"))
                .replace("/*SCRIPT*/", resource("page.js"))
                .replace("/*DATA*/", json.replace("<", "\\u003c"));
    }

    private static String resource(String name) {
        try (InputStream stream = StoryPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("this program lacks its resource " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
