package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * The records: one node each, and beside it a marker node named by the record's nonce. A swap compares the node's version and removes the old marker in one
 * transaction, since the version alone repeats in a store that was restored.
 */
final class Records {
    private final Surroundings around;
    private final Nodes nodes;
    private final Line line;

    Records(Surroundings around, Line line) {
        this.around = around;
        this.nodes = around.nodes();
        this.line = line;
    }

    /** Reads records behind a committed write, all at once. */
    void read(ZooKeeperCall<Map<ElectionName, Reading>> call, Set<ElectionName> elections) {
        line.connection().whenReady(call, link -> {
            Map<ElectionName, Reading> readings = new HashMap<>();
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            line.commit(call, link);
            for (ElectionName election : elections) {
                link.client()
                        .getData(
                                nodes.record(election),
                                false,
                                (rc, path, context, data, stat) -> link.then(() -> {
                                    readings.put(election, reading(Failures.code(rc), data, stat));
                                    call.partial(() -> completed(readings, elections));
                                    if (readings.size() == elections.size()) {
                                        call.answer(readings);
                                    }
                                }),
                                null);
            }
        });
    }

    /** How many servers vote, from the list that an ensemble keeps; a line {@code server.1=host:2888:3888:participant;2181} each. */
    void voters(ZooKeeperCall<OptionalInt> call) {
        line.connection().whenReady(call, link -> {
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            link.client()
                    .getData(
                            ZooDefs.CONFIG_NODE,
                            false,
                            (rc, path, context, data, stat) -> link.then(() -> {
                                Code code = Failures.code(rc);
                                if (code == Code.OK || code == Code.NONODE) {
                                    call.answer(participants(code == Code.OK ? text(data) : ""));
                                } else {
                                    call.fail(code, "reading the list of servers");
                                }
                            }),
                            null);
        });
    }

    /** Observers follow, and do not vote. */
    static OptionalInt participants(String config) {
        int voters = (int) config.lines()
                .filter(one -> one.startsWith("server.") && one.contains(":participant"))
                .count();
        return voters == 0 ? OptionalInt.empty() : OptionalInt.of(voters);
    }

    private Map<ElectionName, Reading> completed(Map<ElectionName, Reading> readings, Set<ElectionName> elections) {
        Map<ElectionName, Reading> all = new HashMap<>(readings);
        elections.forEach(it -> all.putIfAbsent(
                it, new Reading.Unread(around.address() + " did not tell it within the request timeout")));
        return all;
    }

    private Reading reading(Code code, byte[] data, Stat stat) {
        return switch (code) {
            case NONODE -> new Reading.Absent();
            case OK -> {
                try {
                    yield new Reading.Found(observed(data, stat));
                } catch (UnreadableRecordException e) {
                    yield new Reading.Foreign(foreign(stat), String.valueOf(e.getMessage()));
                }
            }
            default -> new Reading.Unread(around.address() + " did not tell it (" + code + ")");
        };
    }

    /** A revision that no swap accepts: nobody stands on what cannot be read. */
    private static Revision foreign(Stat stat) {
        return new Revision("unreadable-" + Long.toHexString(stat.getMzxid()));
    }

    ObservedRecord observed(byte[] data, Stat stat) throws UnreadableRecordException {
        LeaderRecord record = RecordJson.read(text(data));
        boolean alive = record.leader().isPresent()
                && record.lease().filter(line::isAlive).isPresent();
        return new ObservedRecord(record, revision(stat.getVersion(), record), alive, Optional.empty());
    }

    /** A node that someone made by hand may hold nothing at all. */
    @SuppressWarnings("ConstantValue") // ZooKeeper's client says null there, and does not say so.
    static String text(byte[] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }

    private static Revision revision(int version, LeaderRecord record) {
        return new Revision(new Nodes.Position(version, record.nonce()).text());
    }

    /** Writes a record where it is as expected. */
    void swap(ZooKeeperCall<Swap> call, ElectionName election, Revision expected, LeaderRecord next) {
        byte[] data = RecordJson.write(next).getBytes(StandardCharsets.UTF_8);
        Optional<List<Op>> ops = expected.equals(Revision.ABSENT)
                ? Optional.of(creation(election, next, data))
                : Nodes.Position.parse(expected.value()).map(old -> change(election, old, next, data));
        line.connection().whenReady(call, link -> {
            if (ops.isEmpty()) {
                tellRefusal(call, link, election, next);
                return;
            }
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            link.client()
                    .multi(
                            ops.get(),
                            (rc, path, context, results) -> link.then(() -> {
                                Code code = Failures.code(rc);
                                switch (code) {
                                    case OK -> call.answer(new Swap.Accepted(revision(version(results), next)));
                                    case NONODE, NODEEXISTS, BADVERSION -> tellRefusal(call, link, election, next);
                                    default -> call.fail(code, "writing the record of " + election);
                                }
                            }),
                            null);
        });
    }

    private List<Op> creation(ElectionName election, LeaderRecord next, byte[] data) {
        return List.of(
                Op.create(nodes.record(election), data, around.acl(), CreateMode.PERSISTENT), marker(election, next));
    }

    private List<Op> change(ElectionName election, Nodes.Position old, LeaderRecord next, byte[] data) {
        return List.of(
                Op.setData(nodes.record(election), data, old.version()),
                Op.delete(nodes.marker(election, old.nonce()), -1),
                marker(election, next));
    }

    private Op marker(ElectionName election, LeaderRecord next) {
        return Op.create(nodes.marker(election, next.nonce()), new byte[0], around.acl(), CreateMode.PERSISTENT);
    }

    private static int version(List<OpResult> results) {
        return results.get(0) instanceof OpResult.SetDataResult written
                ? written.getStat().getVersion()
                : 0;
    }

    /** The refusal was committed, so what is read behind it is the record that refused, or a later one. My own nonce there means that I was accepted. */
    private void tellRefusal(ZooKeeperCall<Swap> call, Link link, ElectionName election, LeaderRecord next) {
        if (!call.send(line.connection(), around.nanos())) {
            return;
        }
        line.commit(call, link);
        link.client()
                .getData(
                        nodes.record(election),
                        false,
                        (rc, path, context, data, stat) -> link.then(() -> {
                            Code code = Failures.code(rc);
                            Reading reading = reading(code, data, stat);
                            if (reading instanceof Reading.Found found) {
                                boolean mine = found.record().record().nonce().equals(next.nonce());
                                ObservedRecord current = found.record();
                                call.answer(
                                        mine
                                                ? new Swap.Accepted(current.revision())
                                                : new Swap.Refused(Optional.of(current)));
                            } else if (reading instanceof Reading.Absent) {
                                tellAbsence(call, link, election);
                            } else if (reading instanceof Reading.Foreign) {
                                call.answer(new Swap.Refused(Optional.empty()));
                            } else {
                                call.fail(code, "reading the record of " + election);
                            }
                        }),
                        null);
    }

    /** There is no record to refuse it, where one was expected; or the nodes that all lies beneath are gone, which the next connection makes anew. */
    private void tellAbsence(ZooKeeperCall<Swap> call, Link link, ElectionName election) {
        link.client()
                .exists(
                        nodes.markers(),
                        false,
                        (rc, path, context, stat) -> link.then(() -> {
                            if (Failures.code(rc) == Code.OK) {
                                call.answer(new Swap.Refused(Optional.of(ObservedRecord.ABSENT)));
                            } else {
                                call.fail(new CoordinatorException(
                                        around.address() + " lost the nodes beneath which the record of " + election
                                                + " belongs: somebody removed them",
                                        false));
                                line.connection().renew();
                            }
                        }),
                        null);
    }
}
