package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.quorum.Snapshot;
import dev.incumbent.quorum.UnusableSnapshot;
import dev.incumbent.telling.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** What is told of a snapshot, in text and JSON. */
record SnapshotFacts(Path file, Snapshot snapshot, List<Snapshot.Election> elections) {
    SnapshotFacts(Path file, Snapshot snapshot) {
        this(file, snapshot, snapshot.elections());
    }

    /** Of a file, which is refused where it is not as it was saved, or needs another build. */
    static SnapshotFacts of(Path file) {
        try {
            return new SnapshotFacts(file, Snapshot.read(file));
        } catch (UnusableSnapshot unusable) {
            throw Refusal.configuration(String.valueOf(unusable.getMessage()));
        } catch (IOException e) {
            throw Refusal.configuration("the snapshot " + file + " cannot be read: " + e);
        }
    }

    private long count(Predicate<LeaderRecord> which) {
        return elections.stream()
                .flatMap(one -> one.record().stream())
                .filter(which)
                .count();
    }

    long frozen() {
        return count(LeaderRecord::isFrozen);
    }

    long withoutSinks() {
        return count(record -> record.sinks().isEmpty());
    }

    /** Of elections whose record this version leaves as it is. */
    List<String> leftAlone() {
        return elections.stream()
                .filter(one -> one.record().isEmpty())
                .map(Snapshot.Election::name)
                .toList();
    }

    /** One line, or one object. */
    void print(String what, Surroundings around, Output output) {
        Snapshot.Header header = snapshot.header();
        if (output.isJson()) {
            around.out().println(json(what));
            return;
        }
        around.out()
                .println(what + " " + file + ": position " + header.index() + " of quorum " + header.cluster()
                        + ", level "
                        + header.level() + ", taken " + header.taken() + " by " + header.node() + "; "
                        + elections.size()
                        + " elections (" + frozen() + " frozen), " + snapshot.leases() + " leases");
    }

    private JsonObject json(String what) {
        Snapshot.Header header = snapshot.header();
        return new JsonObject()
                .put("result", what)
                .put("file", file.toString())
                .put("cluster", header.cluster())
                .put("node", header.node())
                .put("level", header.level())
                .put("index", header.index())
                .put("epoch", header.epoch())
                .put("taken", header.taken().toString())
                .put("elections", elections.size())
                .put("frozen", frozen())
                .put("leases", snapshot.leases())
                .put("sha256", snapshot.sum())
                .put("state", snapshot.state());
    }

    void printElections(Surroundings around) {
        Columns columns = new Columns("ELECTION", "TERM", "LEADER", "FROZEN", "SINKS");
        for (Snapshot.Election one : elections) {
            one.record()
                    .ifPresentOrElse(
                            record -> columns.add(
                                    one.name(),
                                    Long.toString(record.term()),
                                    record.leader().map(Candidate::name).orElse(""),
                                    record.freeze().map(freeze -> freeze.why()).orElse(""),
                                    Integer.toString(record.sinks().size())),
                            () -> columns.add(one.name(), "", "(not for this version)", "", ""));
        }
        columns.print(around);
    }
}
