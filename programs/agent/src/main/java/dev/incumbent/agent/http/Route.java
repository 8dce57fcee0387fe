package dev.incumbent.agent.http;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One kind of request.
 *
 * @param path its segments; {@link #ELECTION}, {@link #ID} and {@link #FILE} stand for any
 * @param right what it needs of the election in its path; empty where it needs none, or names none
 * @param events answers where a stream of events is preferred; empty where there is none
 */
record Route(String method, List<String> path, Optional<Right> right, Answering answering, Optional<Answering> events) {
    static final String ELECTION = "{election}";
    static final String ID = "{id}";
    static final String FILE = "{file}";

    private static final String NO_EVENTS =
            "this address sends no events; GET /v1/elections/{election} does, and others answer application/json";

    /** Gives the one answer, now or later. */
    @FunctionalInterface
    interface Answering {
        void answer(Exchange exchange, Asked asked, Asker asker);
    }

    static Route of(String method, String path, Answering answering) {
        return new Route(method, segments(path), Optional.empty(), answering, Optional.empty());
    }

    Route needing(Right needed) {
        return new Route(method, path, Optional.of(needed), answering, events);
    }

    Route streaming(Answering stream) {
        return new Route(method, path, right, answering, Optional.of(stream));
    }

    /** Gives the answer that is preferred, or refuses. */
    void answer(Exchange exchange, Asked asked, Asker asker) {
        if (!exchange.prefersEvents()) {
            answering.answer(exchange, asked, asker);
            return;
        }
        events.orElseThrow(() -> new Problem(406, NO_EVENTS)).answer(exchange, asked, asker);
    }

    private static List<String> segments(String path) {
        return Arrays.asList(path.substring(1).split("/", -1));
    }

    /** Is this its path, whatever the method? */
    boolean leadsTo(List<String> asked) {
        if (asked.size() != path.size()) {
            return false;
        }
        for (int i = 0; i < asked.size(); i++) {
            String segment = path.get(i);
            if (!segment.startsWith("{") && !segment.equals(asked.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Where in the path the election stands. */
    int electionAt() {
        return path.indexOf(ELECTION);
    }

    @Override
    public String toString() {
        return method + " /" + String.join("/", path);
    }
}
