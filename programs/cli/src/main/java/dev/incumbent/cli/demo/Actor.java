package dev.incumbent.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** One process of the demo, as the demo holds it: what it tells is heard on a thread of its own, and signals are what an operating system has. */
final class Actor {
    /** The variables by which a worker learns of coordinator and sink. */
    static final String AT = "INCUMBENT_AT";

    static final String SINK = "INCUMBENT_SINK";

    private final String name;
    private final Process process;

    private Actor(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    static Actor start(String name, ProcessBuilder command, Consumer<Told> hearer) {
        try {
            Process process =
                    command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            Actor actor = new Actor(name, process);
            Thread hearing = new Thread(() -> actor.hear(hearer), "demo-hears-" + name);
            hearing.setDaemon(true);
            hearing.start();
            return actor;
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    /** SIGKILL. A frozen process dies of it, too. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGSTOP: on a busy machine some of its threads may still run for an instant. */
    void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    void wake() {
        signal("CONT");
    }

    /** Asks it to stand still after its next check. */
    void hold() {
        write("hold\n");
    }

    /** Lets it go on, as soon as it runs. */
    void go() {
        write("go\n");
    }

    void awaitDeath() {
        process.onExit().join();
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + pid())
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -s " + signal + " " + pid() + " failed");
            }
        } catch (IOException unstartable) {
            throw new UncheckedIOException(unstartable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void write(String words) {
        try {
            OutputStream in = process.getOutputStream();
            in.write(words.getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(name + " is gone", gone);
        }
    }

    private void hear(Consumer<Told> hearer) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().map(line -> Told.read(this, line)).forEach(hearer);
        } catch (IOException | UncheckedIOException theSameAsItsEnd) {
            // What a killed process had not written is lost with it.
        }
        hearer.accept(new Told(this, Told.Kind.GONE, 0, 0, ""));
    }
}
