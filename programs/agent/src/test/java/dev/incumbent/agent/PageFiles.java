package dev.incumbent.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of the dashboard, which everybody may read: text by name. */
final class PageFiles {
    private PageFiles() {}

    static Map<String, String> read() {
        try (Stream<Path> all = Files.list(Path.of(Objects.requireNonNull(HostAgent.class.getResource("dashboard/"))
                .toURI()))) {
            Map<String, String> read = new TreeMap<>();
            for (Path file : all.toList()) {
                read.put(file.getFileName().toString(), Files.readString(file));
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
