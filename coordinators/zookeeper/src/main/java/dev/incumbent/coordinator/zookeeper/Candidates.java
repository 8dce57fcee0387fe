package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.Stat;

/**
 * The candidates: one node each, in the order of the transactions that created them. They are persistent, and count only while their lease lives: so anybody may
 * enlist anybody, and an update keeps the place. Whoever lists them removes the dead.
 */
final class Candidates {
    private static final int MOST_ATTEMPTS = 5;

    private final Surroundings around;
    private final Nodes nodes;
    private final Line line;

    Candidates(Surroundings around, Line line) {
        this.around = around;
        this.nodes = around.nodes();
        this.line = line;
    }

    private record Place(long createdAt, Enlisted enlisted) {}

    void enlist(ZooKeeperCall<Boolean> call, ElectionName election, Enlisted candidate) {
        line.connection()
                .whenReady(call, link -> create(new Enlisting(call, link, election, candidate), MOST_ATTEMPTS));
    }

    /** One enlisting under way. */
    private record Enlisting(ZooKeeperCall<Boolean> call, Link link, ElectionName election, Enlisted candidate) {}

    private void create(Enlisting it, int attempts) {
        if (attempts == 0) {
            it.call()
                    .fail(new CoordinatorException(
                            around.address() + " let others enlist or remove "
                                    + it.candidate().candidate().id() + " each time",
                            false));
            return;
        }
        send(it, List.of(creation(it)), code -> {
            switch (code) {
                case NODEEXISTS -> replaceOrUpdate(it, attempts - 1);
                case NONODE -> createParent(it, attempts - 1);
                default -> it.call().fail(code, doing(it));
            }
        });
    }

    private Op creation(Enlisting it) {
        return Op.create(path(it), data(it), around.acl(), CreateMode.PERSISTENT);
    }

    private String path(Enlisting it) {
        return nodes.candidate(it.election(), it.candidate().candidate().id());
    }

    private static byte[] data(Enlisting it) {
        return RecordJson.write(it.candidate()).getBytes(StandardCharsets.UTF_8);
    }

    private static String doing(Enlisting it) {
        return "enlisting for " + it.election();
    }

    /** One transaction that also finds the lease alive; what else refuses it is told by its code. */
    private void send(Enlisting it, List<Op> ops, Consumer<Code> refused) {
        List<Op> all =
                new ArrayList<>(List.of(Op.check(nodes.lease(it.candidate().lease()), -1)));
        all.addAll(ops);
        if (!it.call().send(line.connection(), around.nanos())) {
            return;
        }
        it.link()
                .client()
                .multi(
                        all,
                        (rc, path, context, results) -> it.link().then(() -> {
                            Code code = Failures.code(rc);
                            if (code == Code.OK) {
                                it.call().answer(true);
                            } else if (code == Code.NONODE && isFirst(results)) {
                                it.call()
                                        .fail(new LeaseLostException(
                                                it.candidate().lease(), "its node is gone"));
                            } else {
                                if (!Failures.isUnanswered(code)) {
                                    it.call().wasRefused();
                                }
                                refused.accept(code);
                            }
                        }),
                        null);
    }

    private static boolean isFirst(List<OpResult> results) {
        return !results.isEmpty()
                && results.get(0).getType() == OpCode.error
                && ((OpResult.ErrorResult) results.get(0)).getErr() == Code.NONODE.intValue();
    }

    /** A container goes by itself some time after its last candidate. */
    private void createParent(Enlisting it, int attempts) {
        it.link()
                .client()
                .create(
                        nodes.candidates(it.election()),
                        new byte[0],
                        around.acl(),
                        CreateMode.CONTAINER,
                        (rc, path, context, name) -> it.link().then(() -> {
                            Code code = Failures.code(rc);
                            if (code == Code.OK || code == Code.NODEEXISTS) {
                                create(it, attempts);
                            } else {
                                it.call().fail(code, doing(it));
                            }
                        }),
                        null);
    }

    /** Whose lease died goes to the end; whoever stands is updated in its place. */
    private void replaceOrUpdate(Enlisting it, int attempts) {
        it.link()
                .client()
                .getData(
                        path(it),
                        false,
                        (rc, path, context, data, stat) -> it.link().then(() -> {
                            Code code = Failures.code(rc);
                            if (code == Code.NONODE) {
                                create(it, attempts);
                            } else if (code != Code.OK) {
                                it.call().fail(code, doing(it));
                            } else {
                                boolean stands = enlisted(data)
                                        .filter(old -> line.isAlive(old.lease()))
                                        .isPresent();
                                List<Op> ops = stands
                                        ? List.of(Op.setData(path, data(it), stat.getVersion()))
                                        : List.of(Op.delete(path, stat.getVersion()), creation(it));
                                send(it, ops, refusal -> {
                                    switch (refusal) {
                                        case NONODE, NODEEXISTS, BADVERSION -> create(it, attempts);
                                        default -> it.call().fail(refusal, doing(it));
                                    }
                                });
                            }
                        }),
                        null);
    }

    void withdraw(ZooKeeperCall<Boolean> call, ElectionName election, CandidateId candidate) {
        line.connection().whenReady(call, link -> {
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            link.client()
                    .delete(
                            nodes.candidate(election, candidate),
                            -1,
                            (rc, path, context) -> link.then(() -> {
                                Code code = Failures.code(rc);
                                if (code == Code.OK || code == Code.NONODE) {
                                    call.answer(true);
                                } else {
                                    call.fail(code, "withdrawing from " + election);
                                }
                            }),
                            null);
        });
    }

    /** The live candidates of each election, in order. */
    void list(ZooKeeperCall<Map<ElectionName, List<Enlisted>>> call, Set<ElectionName> elections) {
        line.connection().whenReady(call, link -> {
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            line.commit(call, link);
            list(call, link, elections, call::answer);
        });
    }

    private void list(
            ZooKeeperCall<?> call,
            Link link,
            Set<ElectionName> elections,
            Consumer<Map<ElectionName, List<Enlisted>>> then) {
        Map<ElectionName, List<Enlisted>> lists = new HashMap<>();
        if (elections.isEmpty()) {
            then.accept(lists);
        }
        for (ElectionName election : elections) {
            children(
                    call,
                    link,
                    nodes.candidates(election),
                    names -> places(call, link, election, names, places -> {
                        lists.put(
                                election,
                                places.stream()
                                        .sorted(Comparator.comparingLong(Place::createdAt))
                                        .map(Place::enlisted)
                                        .toList());
                        if (lists.size() == elections.size()) {
                            then.accept(lists);
                        }
                    }));
        }
    }

    private static void children(ZooKeeperCall<?> call, Link link, String path, Consumer<List<String>> then) {
        link.client()
                .getChildren(
                        path,
                        false,
                        (rc, asked, context, names) -> link.then(() -> {
                            switch (Failures.code(rc)) {
                                case OK -> then.accept(names);
                                case NONODE -> then.accept(List.of());
                                default -> call.fail(Failures.code(rc), "listing " + path);
                            }
                        }),
                        null);
    }

    private void places(
            ZooKeeperCall<?> call, Link link, ElectionName election, List<String> names, Consumer<List<Place>> then) {
        List<Place> places = new ArrayList<>();
        if (names.isEmpty()) {
            then.accept(places);
        }
        int[] left = {names.size()};
        for (String name : names) {
            link.client()
                    .getData(
                            nodes.candidates(election) + "/" + name,
                            false,
                            (rc, path, context, data, stat) -> link.then(() -> {
                                Code code = Failures.code(rc);
                                if (code == Code.OK) {
                                    place(link, path, data, stat).ifPresent(places::add);
                                } else if (code != Code.NONODE) {
                                    call.fail(code, "reading " + path);
                                }
                                if (--left[0] == 0) {
                                    then.accept(places);
                                }
                            }),
                            null);
        }
    }

    /** One whose lease is dead is removed on the way, as it was seen. One that a later version wrote is left to its like. */
    private Optional<Place> place(Link link, String path, byte[] data, Stat stat) {
        Optional<Enlisted> enlisted = enlisted(data);
        if (enlisted.isPresent() && !line.isAlive(enlisted.get().lease())) {
            if (around.mode() == Mode.CREATE) {
                link.client().delete(path, stat.getVersion(), (rc, asked, context) -> {}, null);
            }
            return Optional.empty();
        }
        return enlisted.map(it -> new Place(stat.getCzxid(), it));
    }

    private static Optional<Enlisted> enlisted(byte[] data) {
        try {
            return Optional.of(RecordJson.readEnlisted(Records.text(data)));
        } catch (UnreadableRecordException ofALaterVersion) {
            return Optional.empty();
        }
    }

    /** The elections that have a record, or a live candidate, and lie beneath a prefix. */
    void elections(ZooKeeperCall<List<ElectionName>> call, String prefix) {
        line.connection().whenReady(call, link -> {
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            line.commit(call, link);
            Set<ElectionName> found = new TreeSet<>();
            children(call, link, nodes.records(), names -> found.addAll(beneath(prefix, names)));
            children(call, link, nodes.candidates(), names -> {
                Set<ElectionName> unwritten = beneath(prefix, names);
                unwritten.removeAll(found);
                list(call, link, unwritten, lists -> {
                    lists.forEach((election, list) -> {
                        if (!list.isEmpty()) {
                            found.add(election);
                        }
                    });
                    call.answer(List.copyOf(found));
                });
            });
        });
    }

    private static Set<ElectionName> beneath(String prefix, List<String> names) {
        Set<ElectionName> found = new TreeSet<>();
        for (String name : names) {
            Nodes.election(name)
                    .filter(it -> prefix.isEmpty()
                            || it.value().equals(prefix)
                            || it.value().startsWith(prefix + "/"))
                    .ifPresent(found::add);
        }
        return found;
    }
}
