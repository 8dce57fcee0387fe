package dev.incumbent.cli.story;

import dev.incumbent.cli.frame.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page as one file that needs no network: markup, style, script and data. */
public final class StoryPage {
    private StoryPage() {}

    /** Writes it, with that data in JSON; a file that cannot be written is refused. */
    public static void write(Path file, String json) {
        try {
            Files.writeString(file, text(json));
        } catch (IOException failure) {
            throw Refusal.usage("--html " + file + ": it cannot be written there (" + failure.getMessage() + ")");
        }
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
