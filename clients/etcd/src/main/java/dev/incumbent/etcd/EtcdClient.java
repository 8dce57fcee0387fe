package dev.incumbent.etcd;

import dev.incumbent.calls.Deadlines;
import dev.incumbent.calls.Lane;
import dev.incumbent.wire.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of one etcd. Thread-safe; no call blocks, each ends within the bound, in a value or in an {@link EtcdException}, and none is ever sent twice, save
 * what etcd refused for a token it knows no longer, and what follows that in the same call. Its threads, four at most, start with the first call of their kind and end when it is closed.
 */
public final class EtcdClient implements AutoCloseable {
    private final EtcdAddress address;
    private final Connections connections;
    private final long boundNanos;
    private final Lane<EtcdCall<?>> writes;
    private final Lane<EtcdCall<?>> reads;
    private final Lane<EtcdCall<?>> leases;

    /** Connects with the first call. */
    public EtcdClient(EtcdAddress address, Duration bound) {
        this.address = address;
        this.connections = new Connections(address, bound);
        this.boundNanos = bound.toNanos();
        this.writes = lane("writes");
        this.reads = lane("reads");
        this.leases = lane("leases");
    }

    private Lane<EtcdCall<?>> lane(String calls) {
        return new Lane<>(
                Lane.Rules.oneThread("incumbent-etcd-" + calls),
                Deadlines.fromNow(),
                (why, mayHaveApplied) -> EtcdException.of(address + " " + why, mayHaveApplied),
                () -> new Gateway(connections));
    }

    public EtcdAddress address() {
        return address;
    }

    /** What only reads waits for no write. */
    public CompletableFuture<TxnReply> txn(Txn txn) {
        return submitted(txn.writes() ? writes : reads, EtcdCall.of(txn, boundNanos));
    }

    /** Grants a lease of that id, and writes the key whose life is the lease's; tells the length in seconds that was granted. */
    public CompletableFuture<Long> grant(long id, long seconds, String key, String value) {
        String grant = "{\"TTL\":\"" + seconds + "\",\"ID\":\"" + id + "\"}";
        String birth = new Txn().put(key, value, id).json();
        return change(
                "the grant of a lease",
                requests -> requests.post(List.of(
                                new Requests.Question("/v3/lease/grant", grant),
                                new Requests.Question(Transactions.PATH, birth)))
                        .get(0)
                        .at("TTL")
                        .number());
    }

    /**
     * Keeps a lease alive; false if it is dead, which is if its key is gone.
     *
     * <p>An etcd leader that was stopped and has been replaced answers as if it still led, until it hears of it. The member writes the raft term into its answer
     * before it renews. So the lease counts as kept only if a linearizable read after it shows the same term: no other leader was elected meanwhile.
     */
    public CompletableFuture<Boolean> keepAlive(long id, String key) {
        Requests.Question keep = new Requests.Question("/v3/lease/keepalive", "{\"ID\":\"" + id + "\"}");
        Requests.Question look =
                new Requests.Question(Transactions.PATH, new Txn().get(key).json());
        return change("a keep-alive", requests -> {
            List<Json> answers = requests.post(List.of(keep, look));
            if (TxnReply.of(answers.get(1), 0).found(0).isEmpty()) {
                return false;
            }
            if (!isKept(answers.get(0), answers.get(1))) {
                throw new EtcdException(
                        "etcd at " + address + " changed its leader during a keep-alive",
                        EtcdException.Kind.LEADER_CHANGED);
            }
            return true;
        });
    }

    private static boolean isKept(Json kept, Json seen) {
        long term = raftTerm(kept);
        return kept.at("TTL").number() > 0 && term > 0 && term == raftTerm(seen);
    }

    private static long raftTerm(Json answer) {
        return answer.at("header").at("raft_term").number();
    }

    /** Ends a lease with all its keys; one that is dead already is ended, too. */
    public CompletableFuture<Boolean> revoke(long id) {
        return change("the revoking of a lease", requests -> {
            try {
                requests.post("/v3/lease/revoke", "{\"ID\":\"" + id + "\"}");
                return true;
            } catch (EtcdException refused) {
                if (refused.kind() == EtcdException.Kind.LEASE_NOT_FOUND) {
                    return false;
                }
                throw refused;
            }
        });
    }

    /** How many members vote: learners do not. */
    public CompletableFuture<Integer> voters() {
        return submitted(
                reads,
                EtcdCall.reading(
                        "the list of members",
                        boundNanos,
                        requests -> (int) requests.post("/v3/cluster/member/list", "{}").at("members").items().stream()
                                .filter(member -> !(member.has("isLearner")
                                        && member.at("isLearner").flag()))
                                .count()));
    }

    private <T> CompletableFuture<T> change(String what, EtcdCall.Work<T> work) {
        return submitted(leases, EtcdCall.writing(what, boundNanos, work));
    }

    private static <T> CompletableFuture<T> submitted(Lane<EtcdCall<?>> lane, EtcdCall<T> call) {
        lane.submit(call);
        return call.reply();
    }

    /** Watches all keys from {@code from} up to {@code to}, that one not included, from a revision on. */
    public EtcdStream watch(String from, String to, long revision, EtcdStream.Listener listener) {
        return EtcdStream.open(connections, new EtcdStream.Range(from, to, revision), listener);
    }

    /** Ends calls under way and connections. Never fails, may be called twice. */
    @Override
    public void close() {
        writes.close();
        reads.close();
        leases.close();
    }
}
