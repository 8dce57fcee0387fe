package dev.incumbent.agent;

import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;

/** The agents of two hosts over one store. */
final class AgentPair implements AutoCloseable {
    /** A thread for each question: the common pool may have but one, which an operation in this process needs. */
    static final Executor ASKING = question -> new Thread(question, "asks").start();

    final SystemTimeline clocks = new SystemTimeline();
    final AgentAtWork one;
    final AgentAtWork two;

    AgentPair(Path folder) throws IOException {
        this(folder, AgentAtWork.LEASE);
    }

    AgentPair(Path folder, Duration lease) throws IOException {
        MemoryStore store = new MemoryStore(clocks);
        one = new AgentAtWork(Files.createDirectory(folder.resolve("one")), lease, clocks, store);
        two = new AgentAtWork(Files.createDirectory(folder.resolve("two")), lease, clocks, store);
    }

    /** The id of the candidate of a place in the order, once there is one. */
    String candidate(String election, int place) {
        Await.until(place + 1 + " stand", () -> candidates(election).size() > place);
        return candidates(election).get(place).at("id").text();
    }

    /** How many stand. */
    int count(String election) {
        return candidates(election).size();
    }

    private List<Json> candidates(String election) {
        return one.socket()
                .get("/v1/elections/" + election)
                .json()
                .at("candidates")
                .items();
    }

    @Override
    public void close() {
        one.close();
        two.close();
    }
}
