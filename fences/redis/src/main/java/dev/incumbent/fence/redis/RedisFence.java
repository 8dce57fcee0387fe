package dev.incumbent.fence.redis;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.wire.HostAddresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes to a Redis server behind its fence: a token is admitted in the same step in which the commands run, so that no raise comes between.
 *
 * <p>One connection, made when it is needed and made again after it broke; used by one thread at a time. A call blocks for the bound at most. Nothing is ever sent
 * twice: whoever gets no answer does not know whether its write applied, as with any server.
 */
public final class RedisFence implements AutoCloseable {
    private final RedisUrl url;
    private final Duration bound;
    private final HostAddresses addresses;
    private Optional<RedisLine> line = Optional.empty();

    private RedisFence(RedisUrl url, Duration bound) {
        this.url = url;
        this.bound = bound;
        this.addresses = new HostAddresses(url.server().host());
    }

    /** The fence of the server at that URL, as {@link RedisSinkProvider} opens it; connects to nothing yet. */
    public static RedisFence open(String url, Duration bound) {
        return new RedisFence(RedisSinkProvider.parsed(url), bound);
    }

    /**
     * Runs one command if the token is the mark: {@code write(billing, token, "SET", "balance", "7")}. Answers what the command did: bytes, a whole number, a list, or
     * empty for nothing.
     *
     * @throws NotAdmittedException the server did not say, or refused the command itself
     */
    public Optional<Object> write(ElectionName election, FencingToken token, String... command)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        List<Object> answers = run(election, token, List.of(List.of(command)));
        return answers.isEmpty() ? Optional.empty() : Optional.ofNullable(answers.get(0));
    }

    /** Begins a transaction of several commands, which run together once it is committed. */
    public Transaction begin() {
        return new Transaction();
    }

    /** Ends its connection. May be called twice. */
    @Override
    public void close() {
        line.ifPresent(RedisLine::close);
        line = Optional.empty();
    }

    /**
     * Commands that run together or not at all as far as the fence decides: admission is asked for when it is called, and again, which is what counts, in the very step
     * that runs them. Nothing waits for it: a raise that comes before the commit ends it in a {@link StaleTokenException}. A command that fails in the middle, say on a
     * key of another type, ends the rest and does not undo those before it, as in any Redis script.
     */
    public final class Transaction implements Fence {
        private final List<List<String>> commands = new ArrayList<>();
        private Optional<Admission> admission = Optional.empty();
        private boolean ended;

        private Transaction() {}

        private record Admission(ElectionName election, FencingToken token) {}

        @Override
        public void admit(ElectionName election, FencingToken token)
                throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
            if (ended) {
                throw new NoTransactionException("the transaction has ended: nothing can be admitted to it any more");
            }
            admission = Optional.empty();
            run(election, token, List.of());
            admission = Optional.of(new Admission(election, token));
        }

        /** Adds a command, such as {@code add("SET", "balance", "7")}. */
        public void add(String... command) {
            commands.add(List.of(command));
        }

        /** Runs the commands if the token admitted last is still the mark; their answers, in order. */
        public List<Object> commit()
                throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
            if (ended || admission.isEmpty()) {
                throw new NoTransactionException("nothing was admitted to this transaction, or it has ended");
            }
            ended = true;
            Admission held = admission.get();
            return commands.isEmpty() ? List.of() : run(held.election(), held.token(), commands);
        }

        /** Ends it without running anything. May be called twice. */
        public void rollBack() {
            ended = true;
        }
    }

    private List<Object> run(ElectionName election, FencingToken token, List<List<String>> commands)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        List<String> arguments = new ArrayList<>(List.of(token.toString()));
        for (List<String> command : commands) {
            arguments.add(Integer.toString(command.size()));
            arguments.addAll(command);
        }
        try {
            Object answer = opened().run(RedisScript.ADMIT, List.of(url.markKeys() + election), arguments);
            return answer instanceof List<?> all ? new ArrayList<>(all) : List.of();
        } catch (RedisFailure failure) {
            throwIfRefused(election, token, failure);
            if (failure.code().isEmpty() || failure.code().equals("READONLY")) {
                close();
            }
            throw new NotAdmittedException(
                    "token " + token + " of " + election + " was not admitted: " + failure.sentence(), failure);
        }
    }

    private static void throwIfRefused(ElectionName election, FencingToken token, RedisFailure failure)
            throws StaleTokenException, NotRaisedException {
        String inForce = failure.sentence().replaceFirst("^.* the mark is ", "");
        if (failure.code().equals("IFSTALE")) {
            throw new StaleTokenException(election, token, inForce);
        }
        if (failure.code().equals("IFNOTRAISED")) {
            throw new NotRaisedException(election, token, inForce);
        }
    }

    private RedisLine opened() throws RedisFailure {
        if (line.isEmpty()) {
            line = Optional.of(RedisLine.open(url, addresses, bound));
        }
        return line.get();
    }
}
