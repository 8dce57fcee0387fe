package dev.incumbent.fence.http;

import com.sun.net.httpserver.Filter;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.wire.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The fence of one HTTP service, in the process that serves it.
 *
 * <p>A request that changes something (all but GET, HEAD, OPTIONS and TRACE) is handled only if its token equals the mark, and a raise waits until those that were let
 * in have been handled; newcomers queue behind it. The marks are kept by another sink. Thread-safe; it holds back requests on their own threads, for at most the bound.
 *
 * <p>It lets in the leaders of the elections that it was made for, and raises the marks of no other. It knows the requests of its own process alone: a service of several
 * processes has its store fenced as well, or routes each election to one of them.
 */
public final class HttpFence {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final Sink marks;
    private final Duration bound;
    private final String secret;
    private final Turnstiles turnstiles;
    private final String name = HttpFence.class.getName() + "." + UUID.randomUUID();

    private HttpFence(Sink marks, Duration bound, String secret, Turnstiles turnstiles) {
        this.marks = marks;
        this.bound = bound;
        this.secret = secret;
        this.turnstiles = turnstiles;
    }

    /**
     * A fence whose marks that sink keeps; whoever opened the sink closes it.
     *
     * @param bound nothing is held back for longer
     * @param secret the marks are shown to and raised by those alone who send {@code Authorization: Bearer SECRET}; white space around it does not count
     * @param election whose leader may write here
     * @param more elections whose leaders may, too
     * @throws IllegalArgumentException if the secret is blank, or no header can carry it
     */
    public static HttpFence over(
            Sink marks, Duration bound, String secret, ElectionName election, ElectionName... more) {
        Set<ElectionName> elections = new HashSet<>(List.of(more));
        elections.add(election);
        return new HttpFence(marks, bound, Secret.in("the fence's secret", secret), new Turnstiles(elections));
    }

    /** For a context of the JDK's server. */
    public Filter filter() {
        return new JdkServerFilter(this);
    }

    static boolean isSafe(String method) {
        return SAFE.contains(method);
    }

    /** A request that was let in, until it leaves, or the reply that it gets instead. */
    record Passage(Optional<Reply> refusal, Runnable leave) implements AutoCloseable {
        @Override
        public void close() {
            leave.run();
        }
    }

    /** Lets a request in, or not. */
    Passage enter(List<String> headers) throws InterruptedException {
        Optional<Bearing> bearing = Bearing.of(headers);
        if (bearing.isEmpty()) {
            return refused(
                    Reply.PRECONDITION_REQUIRED,
                    "unreadable: this request needs one header " + Bearing.HEADER + ": ELECTION=TOKEN, it has "
                            + headers);
        }
        ElectionName election = bearing.get().election();
        if (!turnstiles.isFor(election)) {
            return refused(Reply.PRECONDITION_REQUIRED, "unreadable: " + notHere(election));
        }
        Optional<Runnable> inside = turnstiles.pass(election, bound);
        if (inside.isEmpty()) {
            return refused(Reply.UNAVAILABLE, "a raise of " + election + " waits here; try again");
        }
        return checked(bearing.get(), inside.get());
    }

    /** Whoever is not let in leaves at once, also where the check fails: else no raise would ever pass. */
    private Passage checked(Bearing bearing, Runnable leave) throws InterruptedException {
        boolean isAdmitted = false;
        try {
            Optional<Reply> refusal = checked(bearing);
            isAdmitted = refusal.isEmpty();
            return new Passage(refusal, isAdmitted ? leave : () -> {});
        } finally {
            if (!isAdmitted) {
                leave.run();
            }
        }
    }

    private Optional<Reply> checked(Bearing bearing) throws InterruptedException {
        try {
            ElectionName election = bearing.election();
            Optional<Mark> mark = answer(marks.marks(Set.of(election)).thenApply(read -> read.of(election)));
            mark.map(MarkRule::at).orElse(MarkRule.unmarked()).admit(election, bearing.token());
            return Optional.empty();
        } catch (StaleTokenException stale) {
            return Optional.of(new Reply(Reply.CONFLICT, "stale: " + stale.getMessage()));
        } catch (NotRaisedException notRaised) {
            return Optional.of(new Reply(Reply.PRECONDITION_REQUIRED, "not-raised: " + notRaised.getMessage()));
        } catch (ExecutionException | TimeoutException silent) {
            return Optional.of(new Reply(Reply.UNAVAILABLE, "the marks could not be read: " + why(silent)));
        }
    }

    private static Passage refused(int status, String text) {
        return new Passage(Optional.of(new Reply(status, text)), () -> {});
    }

    private static String notHere(ElectionName election) {
        return "the leader of " + election + " may not write here";
    }

    /** No other fence has this name. */
    String name() {
        return name;
    }

    /** Is that path, without escapes, one of the fence's own? */
    static boolean isOfTheFence(String path) {
        return path.endsWith(Paths.ALL) || path.contains(Paths.ONE);
    }

    /** The body of a request, which is not read before it is known who sends it. */
    @FunctionalInterface
    interface Body {
        String read() throws IOException;
    }

    /**
     * Answers to those who raise and look.
     *
     * @param authorizations the headers of that name: exactly one shows the secret
     */
    Reply administer(String method, String path, List<String> authorizations, Body body, Duration patience)
            throws IOException, InterruptedException {
        if (authorizations.size() != 1 || !isAllowed(authorizations.get(0))) {
            return new Reply(Reply.UNAUTHORIZED, "the marks of this service are shown to bearers of its secret alone");
        }
        try {
            if (method.equals("GET") && path.endsWith(Paths.ALL)) {
                return new Reply(Reply.OK, listed());
            }
            if (method.equals("PUT") && path.contains(Paths.ONE)) {
                return raised(Paths.electionOf(path), MarkText.read(body.read()), patience);
            }
            return new Reply(Reply.METHOD_NOT_ALLOWED, "GET " + Paths.ALL + " and PUT " + Paths.ONE + "ELECTION alone");
        } catch (IllegalArgumentException malformed) {
            return new Reply(Reply.BAD_REQUEST, String.valueOf(malformed.getMessage()));
        } catch (ExecutionException | TimeoutException silent) {
            return new Reply(Reply.UNAVAILABLE, why(silent));
        }
    }

    private boolean isAllowed(String authorization) {
        return MessageDigest.isEqual(
                ("Bearer " + secret).getBytes(StandardCharsets.UTF_8), authorization.getBytes(StandardCharsets.UTF_8));
    }

    private String listed() throws ExecutionException, TimeoutException, InterruptedException {
        StringBuilder lines = new StringBuilder("id " + answer(marks.id()) + "\n");
        MarksRead all = answer(marks.marks());
        all.marks()
                .forEach((election, mark) -> lines.append("mark ")
                        .append(election)
                        .append(' ')
                        .append(MarkText.of(mark))
                        .append('\n'));
        all.unreadable()
                .forEach((election, why) -> lines.append("unreadable ")
                        .append(election)
                        .append(' ')
                        .append(why.replaceAll("\\R", " "))
                        .append('\n'));
        return lines.toString();
    }

    private Reply raised(ElectionName election, Mark mark, Duration patience)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (!turnstiles.isFor(election)) {
            return new Reply(Reply.NOT_FOUND, notHere(election));
        }
        Duration atMost = patience.compareTo(bound) < 0 ? patience : bound;
        Optional<Runnable> inside = turnstiles.closeFor(election, atMost);
        if (inside.isEmpty()) {
            return new Reply(
                    Reply.UNAVAILABLE,
                    "gave up after " + atMost.toMillis() + " ms: " + turnstiles.inside(election)
                            + " requests that were let in are still being handled");
        }
        try {
            Raise raise = answer(marks.raise(election, mark));
            if (raise instanceof Raise.Raised raised) {
                return new Reply(Reply.OK, MarkText.of(raised.inForce()));
            }
            return raise instanceof Raise.Refused refused
                    ? new Reply(Reply.CONFLICT, MarkText.of(refused.inForce()))
                    : new Reply(Reply.UNPROCESSABLE, Long.toString(((Raise.TooFar) raise).from()));
        } finally {
            inside.get().run();
        }
    }

    private <T> T answer(CompletionStage<T> stage) throws ExecutionException, TimeoutException, InterruptedException {
        return stage.toCompletableFuture().get(bound.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static String why(Exception silent) {
        Throwable cause = silent.getCause();
        return cause == null ? "the sink that keeps the marks did not answer" : String.valueOf(cause.getMessage());
    }
}
