package dev.incumbent.sql;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of a SQLite database that this process holds open: asked again and again whether they still bear the database's names, they do not slow down the commits between ({@code Descriptor}).
 * Thread-safe.
 */
public final class HeldFiles {
    /** Of {@link #text()}. */
    public static final int LINES = 5;

    private final DatabaseFiles names;
    private final FileIdentity identity;
    private final Optional<Descriptor> log;
    private final Optional<Descriptor> index;

    private HeldFiles(
            DatabaseFiles names, FileIdentity identity, Optional<Descriptor> log, Optional<Descriptor> index) {
        this.names = names;
        this.identity = identity;
        this.log = log;
        this.index = index;
    }

    /**
     * Those files; empty unless this process holds them all open, as far as the system tells. All its connections to one database share one index. So where it holds open the
     * index that bears the name, none of its connections has another.
     */
    public static Optional<HeldFiles> of(DatabaseFiles names, FileIdentity identity) throws IOException {
        Set<String> wanted = new HashSet<>(List.of(identity.database(), identity.log(), identity.index()));
        wanted.remove("");
        Optional<Map<String, Path>> found = Descriptor.of(wanted);
        if (found.isEmpty()) {
            return Optional.of(new HeldFiles(names, identity, Optional.empty(), Optional.empty()));
        }
        Map<String, Path> open = found.get();
        if (!open.keySet().containsAll(wanted)) {
            return Optional.empty();
        }
        return Optional.of(new HeldFiles(
                names,
                identity,
                descriptor(open, names.log(), identity.log()),
                descriptor(open, names.index(), identity.index())));
    }

    /** As {@link #text()} has them. */
    public static HeldFiles of(DatabaseFiles names, String text) {
        String[] lines = text.split("\n", LINES);
        if (lines.length < LINES) {
            throw new IllegalArgumentException("no text of held files: " + text);
        }
        return new HeldFiles(
                names,
                new FileIdentity(lines[0], lines[1], lines[2]),
                Descriptor.of(lines[3], names.log().toAbsolutePath()),
                Descriptor.of(lines[4], names.index().toAbsolutePath()));
    }

    /** For whoever makes the same once more. */
    public String text() {
        return String.join(
                "\n",
                identity.database(),
                identity.log(),
                identity.index(),
                log.map(Descriptor::text).orElse(""),
                index.map(Descriptor::text).orElse(""));
    }

    private static Optional<Descriptor> descriptor(Map<String, Path> open, Path name, String key) throws IOException {
        Path link = open.get(key);
        return link == null ? Optional.empty() : Descriptor.at(link, name.toAbsolutePath(), key);
    }

    /** Which files they are. */
    public FileIdentity identity() {
        return identity;
    }

    /** Who bears the names now. */
    public FileIdentity now() throws IOException {
        return log.isPresent() && log.get().bearsItsName() ? names.identityBeside(identity.log()) : names.identity();
    }

    /** The locks that this process has on the log's index, as {@code /proc/locks} lists them; empty where the system does not tell. */
    public Optional<List<String>> locksOnIndex() {
        return index.map(Descriptor::locks);
    }
}
