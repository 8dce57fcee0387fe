package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpHeaders;

/** What all conversations with a node share: who is admitted, what answers a path, who the node is, and what is left of its bounds. Thread-safe. */
final class Reception {
    private static final long WITHIN_MILLIS = 2_000;

    private final String node;
    private final Tokens tokens;
    private final Bounds bounds;
    private final Visitors visitors;
    private final Requests requests = new Requests();
    private final AtomicLong underWay = new AtomicLong();
    private final AtomicLong bodies = new AtomicLong();

    private volatile Part part = new Part(
            "", Optional::empty, () -> Members.UNKNOWN, List.of(nothing(503, "this node does not take part yet\n")));

    Reception(String node, Tokens tokens, Bounds bounds) {
        this.node = node;
        this.tokens = tokens;
        this.bounds = bounds;
        this.visitors = new Visitors(bounds.crowd(), bounds.sizes().answers());
    }

    /** The part that this node takes, which changes all at once: nobody is told that a path is unknown because it is not known yet. */
    private record Part(
            String quorum, Supplier<Optional<String>> leader, Supplier<Members> members, List<Route> routes) {}

    private static Route nothing(int status, String text) {
        return new Route("/", Right.TOKEN, Route.LONGEST, Route.Kind.AT_ONCE, asked -> Answer.now(status, text));
    }

    Bounds bounds() {
        return bounds;
    }

    Requests requests() {
        return requests;
    }

    Visitors visitors() {
        return visitors;
    }

    /** Before it takes part. */
    void add(Route route) {
        part = new Part(part.quorum(), part.leader(), part.members(), joined(part.routes(), List.of(route)));
    }

    /** From now on every answer names the quorum and its leader, who means another quorum is refused, and these answer besides what answered before. */
    void takePart(String quorum, Supplier<Optional<String>> leader, Supplier<Members> members, List<Route> routes) {
        List<Route> before = part.routes().stream().skip(1).toList();
        part = new Part(
                quorum, leader, members, joined(List.of(nothing(404, "nothing lies here\n")), joined(before, routes)));
    }

    private static List<Route> joined(List<Route> some, List<Route> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    /** The route of the longest path that answers this one. */
    Route route(String path) {
        return part.routes().stream()
                .filter(route -> route.answers(path))
                .max(Comparator.comparingInt(route -> route.path().length()))
                .orElse(part.routes().get(0));
    }

    /** Does whoever sent it have to show a token? */
    boolean asksForToken() {
        return tokens.areAsked();
    }

    /** What whoever sent those headers may do. Two tokens are none: a proxy in front may have looked at the other one. */
    Set<Right> rights(HttpHeaders headers) {
        List<String> shown = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        return tokens.rights(shown.size() == 1 ? shown.get(0) : "");
    }

    /** Why a request to that route is not taken, by its headers alone. */
    Optional<Answer> refusal(Route route, Set<Right> rights, HttpHeaders headers) {
        if (route.needs() == Right.NONE) {
            return Optional.empty();
        }
        if (!rights.contains(Right.TOKEN)) {
            return Optional.of(new Answer(
                    401,
                    headers.contains(HttpHeaderNames.AUTHORIZATION)
                            ? "this node does not know this bearer token\n"
                            : "a bearer token is required\n"));
        }
        if (!rights.contains(route.needs())) {
            return Optional.of(Answer.without(route.needs()));
        }
        String quorum = part.quorum();
        String meant = headers.get(Words.QUORUM_HEADER, quorum);
        if (!quorum.isEmpty() && !meant.equals(quorum)) {
            return Optional.of(new Answer(421, "this node is of the quorum " + quorum + "\n"));
        }
        return Optional.empty();
    }

    /** How long an asker waits for its answer, a tenth of it kept for the way. */
    static long within(HttpHeaders headers) {
        long asked = Long.parseLong(headers.get(Words.WITHIN_HEADER, Long.toString(WITHIN_MILLIS)));
        long most = Math.max(0, Math.min(asked, Bounds.Patience.ANSWERING.toMillis()));
        return Math.max(1, most * 9 / 10);
    }

    /** False where too much is under way; else {@link #ends} must follow. */
    boolean begins(Route route) {
        if (isCounted(route) && underWay.incrementAndGet() > bounds.sizes().underWay()) {
            underWay.decrementAndGet();
            return false;
        }
        return true;
    }

    void ends(Route route) {
        if (isCounted(route)) {
            underWay.decrementAndGet();
        }
    }

    /** A watch is bounded by its connection, and what is answered at once by itself. */
    private static boolean isCounted(Route route) {
        return route.kind() == Route.Kind.CALL || route.kind() == Route.Kind.DURABLE;
    }

    /** False where too many bytes are kept; else they must be given back. */
    boolean keeps(int bytes) {
        if (bodies.addAndGet(bytes) > bounds.sizes().bodies()) {
            bodies.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void givesBack(int bytes) {
        bodies.addAndGet(-bytes);
    }

    /** Says with an answer who gives it; and to who knows an older list of the members, or none, who they are. */
    void sign(HttpHeaders headers, Optional<Long> known) {
        headers.set(Words.NODE_HEADER, node);
        Part now = part;
        if (!now.quorum().isEmpty()) {
            headers.set(Words.QUORUM_HEADER, now.quorum());
        }
        now.leader().get().ifPresent(name -> headers.set(Words.LEADER_HEADER, name));
        Members members = now.members().get();
        if (known.filter(index -> index < members.index()).isPresent()) {
            headers.set(
                    Words.MEMBERS_HEADER,
                    members.index()
                            + members.members().stream()
                                    .map(member -> " " + member.name() + "=" + member.address())
                                    .collect(Collectors.joining()));
        }
    }

    /** The position of the list of members that whoever sent those headers knows; none where nobody asks. */
    static Optional<Long> known(HttpHeaders headers) {
        return Optional.ofNullable(headers.get(Words.MEMBERS_HEADER))
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::valueOf);
    }
}
