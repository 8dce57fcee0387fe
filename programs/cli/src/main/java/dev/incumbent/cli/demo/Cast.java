package dev.incumbent.cli.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/** All processes of one run, and their folder. However the demo ends, closing this leaves neither. Thread-safe: a signal closes it from a thread of its own. */
final class Cast implements AutoCloseable {
    private final Play play;
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final List<Actor> actors = new ArrayList<>();
    private final Set<Actor> killed = ConcurrentHashMap.newKeySet();
    private boolean closed;

    Cast(Play play) {
        this.play = play;
    }

    /** What the actors tell, as it is heard. */
    BlockingQueue<Told> told() {
        return told;
    }

    synchronized Actor start(String name) {
        if (closed) {
            throw new IllegalStateException("the demo has ended");
        }
        Actor actor = Actor.start(name, play.worker(name), told::add);
        actors.add(actor);
        return actor;
    }

    void kill(Actor actor) {
        killed.add(actor);
        actor.kill();
    }

    /** Was its end ours? */
    synchronized boolean isKilled(Actor actor) {
        return closed || killed.contains(actor);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        actors.forEach(Actor::kill);
        actors.forEach(Actor::awaitDeath);
        if (Files.exists(play.folder())) {
            delete(play.folder());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(one);
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            delete(folder);
        } catch (IOException undeletable) {
            throw new UncheckedIOException("the demo's folder " + folder + " could not be deleted", undeletable);
        }
    }
}
