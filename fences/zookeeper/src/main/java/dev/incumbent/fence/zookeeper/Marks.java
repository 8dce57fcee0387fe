package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * The marks: one node {@code f/ELECTION} each, whose data is {@code TOKEN OWNER}, and beneath it one node {@code t-TOKEN}, the only thing that an admission has to
 * check. The node {@code f} holds the sink's id. Every read stands behind a committed request, so none is older than an acknowledged raise.
 */
final class Marks {
    private final String root;

    Marks(String root) {
        this.root = root;
    }

    private record Known(Mark mark, int version) {}

    private String all() {
        return root + "/f";
    }

    private String mark(ElectionName election) {
        return all() + "/" + election.value().replace('/', ':');
    }

    private String token(ElectionName election, String token) {
        return mark(election) + "/t-" + token;
    }

    /** What an admission checks, in the transaction that writes. */
    Op admission(ElectionName election, FencingToken token) {
        return Op.check(token(election, token.toString()), -1);
    }

    /** Makes what is missing; the id is born with the first of all. */
    void install(ZooKeeper client, List<ACL> acl) throws KeeperException, InterruptedException {
        for (int slash = root.indexOf('/', 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            create(client, root.substring(0, slash), "", acl);
        }
        create(client, root, "", acl);
        create(client, all(), UUID.randomUUID().toString(), acl);
    }

    private static void create(ZooKeeper client, String path, String data, List<ACL> acl)
            throws KeeperException, InterruptedException {
        try {
            if (client.exists(path, false) == null) {
                client.create(path, data.getBytes(StandardCharsets.UTF_8), acl, CreateMode.PERSISTENT);
            }
        } catch (KeeperException.NodeExistsException somebodyElseDid) {
            // it is there
        }
    }

    Optional<String> complaint(ZooKeeper client, Owner owner) throws KeeperException, InterruptedException {
        return owner.complaint(all(), client.getACL(all(), new Stat()));
    }

    SinkId id(ZooKeeper client) throws KeeperException, InterruptedException {
        commit(client);
        return new SinkId(new String(client.getData(all(), false, new Stat()), StandardCharsets.UTF_8));
    }

    /** Refused where the sink is not installed. */
    private void commit(ZooKeeper client) throws KeeperException, InterruptedException {
        client.multi(List.of(Op.check(all(), -1)));
    }

    MarksRead marks(ZooKeeper client) throws KeeperException, InterruptedException {
        commit(client);
        Set<ElectionName> elections = new TreeSet<>();
        for (String name : client.getChildren(all(), false)) {
            ElectionName.ifLegal(name.replace(':', '/')).ifPresent(elections::add);
        }
        return told(client, elections);
    }

    MarksRead marks(ZooKeeper client, Set<ElectionName> elections) throws KeeperException, InterruptedException {
        commit(client);
        return told(client, elections);
    }

    /** Asks for all before it waits for the first: one round trip. Within a connection no answer overtakes the commit before it. */
    private MarksRead told(ZooKeeper client, Set<ElectionName> elections) throws KeeperException, InterruptedException {
        Map<ElectionName, CompletableFuture<Optional<String>>> asked = new TreeMap<>();
        elections.forEach(election -> asked.put(election, NodeText.ask(client, mark(election))));
        MarksRead.Gathered marks = new MarksRead.Gathered();
        for (Map.Entry<ElectionName, CompletableFuture<Optional<String>>> one : asked.entrySet()) {
            Optional<String> text = NodeText.await(one.getValue());
            marks.add(one.getKey(), () -> text.map(it -> parsed(one.getKey(), it)));
        }
        return marks.told();
    }

    MarkRule rule(ZooKeeper client, ElectionName election) throws KeeperException, InterruptedException {
        commit(client);
        return rule(known(client, election));
    }

    private static MarkRule rule(Optional<Known> known) {
        return known.map(it -> MarkRule.at(it.mark())).orElse(MarkRule.unmarked());
    }

    private Optional<Known> known(ZooKeeper client, ElectionName election)
            throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        try {
            String text = NodeText.of(client.getData(mark(election), false, stat));
            return Optional.of(new Known(parsed(election, text), stat.getVersion()));
        } catch (KeeperException.NoNodeException neverRaised) {
            return Optional.empty();
        }
    }

    private Mark parsed(ElectionName election, String text) {
        int blank = text.indexOf(' ');
        try {
            FencingToken token = new FencingToken(Long.parseLong(text.substring(0, Math.max(blank, 0))));
            return new Mark(token, MarkOwner.parse(text.substring(blank + 1)));
        } catch (IllegalArgumentException e) {
            throw new SinkException("the node " + mark(election) + " holds no mark", e);
        }
    }

    /** One attempt; empty where somebody else raised meanwhile. Repeating it is harmless, also where an answer was lost. */
    Optional<Raise> raise(ZooKeeper client, ElectionName election, Mark asked, List<ACL> acl)
            throws KeeperException, InterruptedException {
        commit(client);
        Optional<Known> known = known(client, election);
        Raise raise = rule(known).raise(asked);
        boolean stands = known.filter(it -> it.mark().equals(asked)).isPresent();
        if (!(raise instanceof Raise.Raised) || stands) {
            return Optional.of(raise);
        }
        byte[] data = (asked.token() + " " + asked.owner().text()).getBytes(StandardCharsets.UTF_8);
        List<Op> ops = new ArrayList<>();
        if (known.isEmpty()) {
            ops.add(Op.create(mark(election), data, acl, CreateMode.PERSISTENT));
        } else {
            ops.add(Op.setData(mark(election), data, known.get().version()));
            ops.add(Op.delete(token(election, known.get().mark().token().toString()), -1));
        }
        ops.add(Op.create(token(election, asked.token().toString()), new byte[0], acl, CreateMode.PERSISTENT));
        try {
            client.multi(ops);
            return Optional.of(raise);
        } catch (KeeperException.BadVersionException
                | KeeperException.NoNodeException
                | KeeperException.NodeExistsException meanwhile) {
            return Optional.empty();
        }
    }
}
