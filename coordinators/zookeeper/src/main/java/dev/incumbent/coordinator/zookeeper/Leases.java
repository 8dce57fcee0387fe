package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * The leases: an ephemeral node each, in a session of its own. A lease lives exactly as long as its node: whoever finds it gone by a committed request knows it dead
 * for ever, since no id is given twice.
 *
 * <p>If a member resumes a lease's session with less than its length, the lease is told lost to its holder, and the session is <em>not</em> ended. From that answer
 * on the holder believes no more, and its task is told to stop. But the task has its stop budget, and if the session ended now, a successor could begin beside it.
 * So the connection stays, and its pings keep the session alive. A successor begins once the holder has vacated the record, after its task has returned. If that
 * never happens, the session is closed one lease after the answer. Only a holder that is cut off within its stop budget loses the session before that: the shorter
 * length after its last ping.
 */
final class Leases {
    private static final Pattern SESSION = Pattern.compile(
            "\"session\":\"0x([0-9a-f]{1,16})\",\"key\":\"((?:[0-9a-f]{2}){1,32})\",\"timeoutMs\":([0-9]{1,9})");

    private final Surroundings around;
    private final Nodes nodes;
    private final Line line;
    private final Map<LeaseId, LeaseSession> held = new HashMap<>();

    Leases(Surroundings around, Line line) {
        this.around = around;
        this.nodes = around.nodes();
        this.line = line;
    }

    /** Begins a session, which the ensemble's leader counts from its creation, and puts the lease's node into it; the line has made what that lies beneath. */
    void grant(ZooKeeperCall<GrantedLease> call, CandidateId owner, Duration timeToLive) {
        line.connection().whenReady(call, known -> {
            LeaseSession session = LeaseSession.begin(around, timeToLive);
            session.connection().whenReady(call, link -> {
                if (session.timeout().compareTo(timeToLive) < 0) {
                    call.fail(Failures.tooLong(around.address(), timeToLive, session.timeout()));
                } else {
                    create(call, session, link, owner);
                }
            });
            var unused = call.reply().whenComplete((granted, failure) -> {
                session.connection().forget(call);
                if (failure != null) {
                    session.close();
                }
            });
        });
    }

    private void create(ZooKeeperCall<GrantedLease> call, LeaseSession session, Link link, CandidateId owner) {
        Link.Session key = session.session();
        LeaseId lease = new LeaseId(
                Long.toHexString(key.id()) + "-" + UUID.randomUUID().toString().substring(0, 8));
        if (!call.send(session.connection(), around.nanos())) {
            return;
        }
        link.client()
                .create(
                        nodes.lease(lease),
                        data(owner, session),
                        around.acl(),
                        CreateMode.EPHEMERAL,
                        (rc, path, context, name) -> link.then(() -> {
                            Code code = Failures.code(rc);
                            if (code != Code.OK) {
                                call.fail(code, "creating " + path);
                            } else if (call.answer(new GrantedLease(lease, session.timeout()))) {
                                held.put(lease, session);
                                session.keeps();
                                session.kept(() -> silence(lease));
                            }
                        }),
                        null);
    }

    private static byte[] data(CandidateId owner, LeaseSession session) {
        Link.Session key = session.session();
        String text = "{\"owner\":\"" + owner.value().replaceAll("[\"\\\\]", "?") + "\",\"session\":\"0x"
                + Long.toHexString(key.id()) + "\",\"key\":\"" + key.key()
                + "\",\"timeoutMs\":" + session.timeout().toMillis() + "}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void silence(LeaseId lease) {
        Optional.ofNullable(held.remove(lease)).ifPresent(LeaseSession::close);
    }

    /**
     * Keeps a lease alive: its session is resumed over a new connection, which the ensemble's leader itself counts the session anew for, and a committed request behind
     * that proves that it did, and that it led. A request over the connection that there is would prove the session alive and lengthen nothing: see decision 0610.
     */
    void keepAlive(ZooKeeperCall<Boolean> call, LeaseId lease) {
        LeaseSession session = held.get(lease);
        if (session == null || session.isOver()) {
            held.remove(lease);
            keepAliveOfAnother(call, lease);
            return;
        }
        if (session.shortened().isPresent()) {
            isShorter(call, session, lease);
            return;
        }
        session.keeps();
        var unused = call.reply().whenComplete((kept, failure) -> {
            session.connection().forget(call);
            session.kept(() -> silence(lease));
        });
        if (!session.connection().isReady()) {
            askWhetherDead(call, lease);
        }
        session.resume(call, link -> check(call, session, link, lease), () -> keepAliveOfAnother(call, lease));
    }

    private void check(ZooKeeperCall<Boolean> call, LeaseSession session, Link link, LeaseId lease) {
        if (session.shortened().isPresent()) {
            isShorter(call, session, lease);
            return;
        }
        if (!call.send(session.connection(), around.nanos())) {
            return;
        }
        link.client()
                .multi(
                        List.of(Op.check(nodes.lease(lease), -1)),
                        (rc, path, context, results) -> link.then(() -> {
                            Code code = Failures.code(rc);
                            switch (code) {
                                case OK -> call.answer(true);
                                case NONODE -> isLost(call, lease);
                                default -> call.fail(code, "keeping the lease " + lease + " alive");
                            }
                        }),
                        null);
    }

    private static void isShorter(ZooKeeperCall<?> call, LeaseSession session, LeaseId lease) {
        call.fail(Failures.becameShorter(
                lease, session.timeout(), session.shortened().orElseThrow()));
    }

    private void isLost(ZooKeeperCall<?> call, LeaseId lease) {
        call.fail(new LeaseLostException(lease, "its session is over, or it was revoked"));
        silence(lease);
    }

    /** Its session is not connected, and perhaps gone: that is known to any other session. */
    private void askWhetherDead(ZooKeeperCall<Boolean> call, LeaseId lease) {
        line.connection()
                .whenReady(
                        call,
                        link -> link.client()
                                .multi(
                                        List.of(Op.check(nodes.lease(lease), -1)),
                                        (rc, path, context, results) -> link.then(() -> {
                                            if (Failures.code(rc) == Code.NONODE) {
                                                isLost(call, lease);
                                            }
                                        }),
                                        null));
    }

    /** The lease's node tells its session to whoever may read it: that is joined for one request. */
    private void keepAliveOfAnother(ZooKeeperCall<Boolean> call, LeaseId lease) {
        line.connection().whenReady(call, known -> {
            line.commit(call, known);
            known.client()
                    .getData(
                            nodes.lease(lease),
                            false,
                            (rc, path, context, data, stat) -> known.then(() -> {
                                Code code = Failures.code(rc);
                                Matcher session = SESSION.matcher(Records.text(data));
                                if (code == Code.NONODE) {
                                    isLost(call, lease);
                                } else if (code != Code.OK || !session.find()) {
                                    call.fail(
                                            code == Code.OK ? Code.DATAINCONSISTENCY : code,
                                            "reading the lease " + lease);
                                } else {
                                    join(call, lease, session);
                                }
                            }),
                            null);
        });
    }

    private void join(ZooKeeperCall<Boolean> call, LeaseId lease, Matcher told) {
        Link.Session key = new Link.Session(Long.parseUnsignedLong(told.group(1), 16), told.group(2));
        LeaseSession session = LeaseSession.join(around, Duration.ofMillis(Long.parseLong(told.group(3))), key);
        var unused = call.reply().whenComplete((kept, failure) -> session.leave());
        session.resume(call, link -> check(call, session, link, lease), () -> keepAliveOfAnother(call, lease));
    }

    /** Removes the lease's node, and then its session where it is ours. */
    void revoke(ZooKeeperCall<Boolean> call, LeaseId lease) {
        line.connection().whenReady(call, link -> {
            if (!call.send(line.connection(), around.nanos())) {
                return;
            }
            link.client()
                    .delete(
                            nodes.lease(lease),
                            -1,
                            (rc, path, context) -> link.then(() -> {
                                Code code = Failures.code(rc);
                                if (code == Code.OK || code == Code.NONODE) {
                                    call.answer(true);
                                    silence(lease);
                                } else {
                                    call.fail(code, "revoking the lease " + lease);
                                }
                            }),
                            null);
        });
    }

    /** Leaves all sessions: they live on until they are silent for too long. */
    void leave() {
        List<LeaseSession> all = new ArrayList<>(held.values());
        held.clear();
        all.forEach(LeaseSession::leave);
    }
}
