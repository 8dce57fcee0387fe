package dev.incumbent.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A text that lies beside these classes. */
final class Resource {
    private Resource() {}

    static String text(String name) {
        try (InputStream text = Objects.requireNonNull(Resource.class.getResourceAsStream(name))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
