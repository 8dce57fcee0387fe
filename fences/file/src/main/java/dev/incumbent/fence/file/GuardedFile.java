package dev.incumbent.fence.file;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;

/** A file, the marks beside it, and the lock that both are worked on under. Its text is its URL. */
record GuardedFile(Path path, Path marks, Turns turns) {
    private static final String MARKS = ".fence";
    private static final String LOCK = ".fence-lock";

    /** By whatever name: links to its folder, and to the file, are followed. */
    static GuardedFile at(Path named) {
        Path path = named.toAbsolutePath().normalize();
        try {
            if (Files.exists(path)) {
                path = path.toRealPath();
            } else if (path.getParent() != null && path.getFileName() != null) {
                path = path.getParent().toRealPath().resolve(path.getFileName());
            }
        } catch (IOException e) {
            throw new SinkException("filefence:" + named + " is in no folder that is there: " + e, e);
        }
        if (Files.isSymbolicLink(path)) {
            throw new SinkException("filefence:" + named + " is a link to a file that is not there");
        }
        if (Files.isDirectory(path)) {
            throw new SinkException("filefence:" + named + " is a folder, not a file");
        }
        return new GuardedFile(
                path,
                path.resolveSibling(path.getFileName() + MARKS),
                Turns.at(path.resolveSibling(path.getFileName() + LOCK)));
    }

    void install(Duration bound) {
        alone(bound, "installing the fence", () -> {
            if (!Files.exists(marks, LinkOption.NOFOLLOW_LINKS)) {
                MarkFile.born(new SinkId(UUID.randomUUID().toString())).write(marks);
            }
            return true;
        });
    }

    MarkFile read(Duration bound, String doing) {
        return alone(bound, doing, () -> MarkFile.read(marks));
    }

    Raise raise(ElectionName election, Mark asked, Duration bound) {
        return alone(bound, "raising " + election + " to " + asked, () -> {
            MarkFile kept = MarkFile.read(marks);
            Raise raise = kept.rule(election).raise(asked);
            if (raise instanceof Raise.Raised && !kept.mark(election).equals(Optional.of(asked))) {
                kept.with(election, asked).write(marks);
            }
            return raise;
        });
    }

    private <T> T alone(Duration bound, String doing, Turns.Work<T> work) {
        try {
            return turns.alone(bound, work);
        } catch (TimeoutException e) {
            throw new SinkException(
                    this + ": " + doing + " gave up after " + bound.toMillis() + " ms: " + e.getMessage(), e);
        } catch (NoSuchFileException e) {
            throw new SinkException(
                    this + " has no fence: incumbent fence install --sink " + this + " puts it there", e);
        } catch (IOException e) {
            throw new SinkException(this + ": " + doing + " failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SinkException(this + ": interrupted while " + doing, e);
        }
    }

    @Override
    public String toString() {
        return "filefence:" + path;
    }
}
