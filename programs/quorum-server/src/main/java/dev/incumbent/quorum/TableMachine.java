package dev.incumbent.quorum;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** The table as Ratis replicates it. Its snapshots are files of lines. */
final class TableMachine extends BaseStateMachine {
    private static final String NEXT_SNAPSHOT = "next";

    private final SharedTable table;
    private final Runnable whenLeaderIsReady;
    private final Notices notices;
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Set<Long> appended = ConcurrentHashMap.newKeySet();
    private volatile Optional<String> halt = Optional.empty();
    private volatile Optional<Throwable> failure = Optional.empty();

    /** Of that table. */
    TableMachine(SharedTable table, Runnable whenLeaderIsReady, Notices notices) {
        this.table = table;
        this.whenLeaderIsReady = whenLeaderIsReady;
        this.notices = notices;
    }

    /** Why it applies and answers nothing any more, if so: it met what this build does not understand. */
    Optional<String> halt() {
        return halt;
    }

    /** What it threw last, for which Ratis has closed this member's part. */
    Optional<Throwable> failure() {
        return failure;
    }

    private void haltOver(UnknownFormat unknown) {
        String why = String.valueOf(unknown.getMessage());
        halt = Optional.of(why);
        notices.halted(why);
    }

    private void refuseHalted() {
        halt.ifPresent(why -> {
            throw new IllegalStateException("halted: " + why);
        });
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage) throws IOException {
        super.initialize(server, groupId, raftStorage);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            storage.init(raftStorage);
                            begin();
                        },
                        IOException.class);
    }

    /** From the snapshot that lies here. */
    private void begin() throws IOException {
        try {
            load();
        } catch (UnknownFormat unknown) {
            halt = Optional.ofNullable(unknown.getMessage());
            throw new IOException(unknown);
        }
    }

    /** A snapshot of the leader's is about to replace what is here. Told again where that failed, since the leader sends it again. */
    @Override
    public void pause() {
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            return;
        }
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        try {
            load();
        } catch (UnknownFormat unknown) {
            haltOver(unknown);
            throw new IOException(unknown);
        } catch (IOException | RuntimeException e) {
            failure = Optional.of(e);
            throw e;
        }
        if (getLifeCycleState() == LifeCycle.State.PAUSED) {
            getLifeCycle().transition(LifeCycle.State.STARTING);
            getLifeCycle().transition(LifeCycle.State.RUNNING);
        }
    }

    @Override
    public SimpleStateMachineStorage getStateMachineStorage() {
        return storage;
    }

    private void load() throws IOException {
        Optional<SingleFileSnapshotInfo> latest = Optional.ofNullable(storage.loadLatestSnapshot());
        if (latest.isEmpty()) {
            return;
        }
        Path file = latest.get().getFile().getPath();
        MD5Hash sum = latest.get().getFile().getFileDigest();
        if (sum != null && !sum.equals(MD5FileUtil.computeMd5ForFile(file.toFile()))) {
            throw new IOException("the snapshot " + file
                    + " is not as it was written: its sum differs; --rejoin lets the node come back as a new voter");
        }
        TermIndex at = SimpleStateMachineStorage.getTermIndexFromSnapshotFile(file.toFile());
        table.restore(Files.readAllLines(file), at.getIndex());
        setLastAppliedTermIndex(at);
    }

    /** It bears a snapshot's name only once it is whole and durable: the log before it is cut then, and one without a sum is read as if it were whole. */
    @Override
    public long takeSnapshot() throws IOException {
        refuseHalted();
        TermIndex at = getLastAppliedTermIndex();
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(write(storage, at, table.saved()), at));
        return at.getIndex();
    }

    /** Makes a snapshot of those lines, as of that entry. */
    static FileInfo write(SimpleStateMachineStorage storage, TermIndex at, List<String> lines) throws IOException {
        File file = storage.getSnapshotFile(at.getTerm(), at.getIndex());
        Path next = file.toPath().resolveSibling(NEXT_SNAPSHOT);
        Durably.write(next, lines);
        MD5Hash sum = MD5FileUtil.computeMd5ForFile(next.toFile());
        MD5FileUtil.saveMD5File(file, sum);
        Durably.rename(next, file.toPath());
        return new FileInfo(file.toPath(), sum);
    }

    /** Ratis writes nothing more to a log that failed once, until it is started again. */
    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failedEntry) {
        notices.logFailed(cause);
    }

    /** From here on the entry may be committed, by this leader or by a later one. */
    @Override
    public TransactionContext preAppendTransaction(TransactionContext trx) {
        RaftClientRequest request = trx.getClientRequest();
        if (request != null) {
            appended.add(request.getCallId());
        }
        return trx;
    }

    /** Was it handed to the log? Told once. */
    boolean wasAppended(long callId) {
        return appended.remove(callId);
    }

    /** What is thrown here closes this member's part in the replication: it applies, votes and stands no more. */
    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext trx) {
        refuseHalted();
        LogEntryProto entry = trx.getLogEntry();
        String line = entry.getStateMachineLogEntry().getLogData().toStringUtf8();
        String answer;
        try {
            answer = table.apply(entry.getIndex(), line);
        } catch (UnknownFormat unknown) {
            haltOver(unknown);
            throw unknown;
        } catch (RuntimeException | Error e) {
            failure = Optional.of(e);
            throw e;
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return CompletableFuture.completedFuture(Message.valueOf(answer));
    }

    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        super.notifyTermIndexUpdated(term, index);
        table.pass(index);
    }

    /** A configuration is committed; what stands between two of them, while the membership changes, is told to nobody. */
    @Override
    public void notifyConfigurationChanged(long term, long index, RaftConfigurationProto next) {
        Members.of(index, next).ifPresent(notices::configured);
    }

    @Override
    public CompletableFuture<Message> query(Message question) {
        refuseHalted();
        return CompletableFuture.completedFuture(
                Message.valueOf(table.query(question.getContent().toStringUtf8())));
    }

    @Override
    public void notifyLeaderReady() {
        table.restartLeases();
        whenLeaderIsReady.run();
    }
}
