package dev.incumbent.cli.demo;

import dev.incumbent.model.ElectionName;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one run of the demo is about.
 *
 * @param at the coordinator's URI; may bear credentials
 * @param sink the URL of the ledger's database; may bear credentials
 * @param folder the demo's own, which ends with it
 */
record Play(ElectionName election, Duration lease, boolean fenced, String at, String sink, Path folder) {
    /** How long any step may take before the demo gives up: an expiry and what a loaded machine adds. */
    Duration patience() {
        return lease.multipliedBy(4).plus(Duration.ofSeconds(10));
    }

    /** The command of a worker: this very program, with the options of this JVM, its scratch files in the demo's folder. */
    ProcessBuilder worker(String name) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-javaagent") && !option.startsWith("-agent"))
                .forEach(command::add);
        command.addAll(List.of(
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + folder,
                "-Dorg.sqlite.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Worker.class.getName()));
        command.addAll(
                List.of(name, election.value(), Long.toString(lease.toMillis()), fenced ? "fenced" : "unfenced"));
        ProcessBuilder worker = new ProcessBuilder(command).directory(new File("").getAbsoluteFile());
        worker.environment().put(Actor.AT, at);
        worker.environment().put(Actor.SINK, sink);
        return worker;
    }
}
