package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.Bounds;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.Follower;
import dev.incumbent.agent.elections.News;
import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.model.ElectionName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Streams of events: who leads, and how owners of this host lead, told as it happens. Thread-safe. */
final class Following {
    private static final String SEEN = "Last-Event-ID";

    private final Gate gate;
    private final ElectionRouter elections;

    Following(Gate gate, ElectionRouter elections) {
        this.gate = gate;
        this.elections = elections;
    }

    /** Follows one election until the reader goes, reads too slowly or has no right any more, or the agent ends. */
    void follow(Exchange exchange, Asked asked, Asker asker) {
        ElectionName election = asked.election();
        if (asked.query().containsKey("index") || asked.query().containsKey("wait")) {
            throw Problem.unclear(
                    "a stream of events takes neither index nor wait; it is resumed by the header " + SEEN);
        }
        OptionalLong seen = seen(exchange);
        if (asked.method().equals("HEAD")) {
            exchange.answer(EventStream.TYPE, "");
        } else {
            elections.of(election).follow(election, seen, new Reader(exchange, election));
        }
    }

    private static OptionalLong seen(Exchange exchange) {
        List<String> shown = exchange.request().getHeaders().getValuesList(SEEN);
        if (shown.isEmpty()) {
            return OptionalLong.empty();
        }
        String id = String.join(",", shown);
        if (!id.matches("\\d{1,18}")) {
            throw Problem.unclear(
                    "the header " + SEEN + " bears the id of the last event, a whole number, and not '" + id + "'");
        }
        return OptionalLong.of(Long.parseLong(id));
    }

    /** One who reads a stream. */
    private final class Reader implements Follower {
        private final Exchange exchange;
        private final ElectionName election;
        private final Gate.Shown shown;
        private volatile Optional<EventStream> stream = Optional.empty();

        Reader(Exchange exchange, ElectionName election) {
            this.exchange = exchange;
            this.election = election;
            this.shown = Gate.shown(exchange.request());
        }

        @Override
        public boolean begin() {
            if (!Crowd.keep(exchange.request(), Bounds.STREAMS_OF_ONE)) {
                exchange.problem(new Problem(
                        503,
                        "whoever asks this has " + Bounds.STREAMS_OF_ONE + " streams of events, and may have no more"));
                return false;
            }
            EventStream begun = exchange.stream(() -> elections.of(election).unfollow(election, this));
            begun.begin(EventText.SIGN);
            stream = Optional.of(begun);
            return true;
        }

        @Override
        public void refuse(Why why) {
            exchange.problem(new Problem(
                    503,
                    why == Why.FULL
                            ? "the agent sends " + Bounds.STREAMS + " streams of events, and sends no more at once"
                            : "the agent ends"));
        }

        @Override
        public void hear(News news) {
            stream.ifPresent(one -> one.send(EventText.of(news)));
        }

        /** Looks at the rights on a thread of the server: they are read from a file. */
        @Override
        public void sign() {
            stream.ifPresent(one -> one.later(() -> {
                if (gate.asker(shown).may(Right.READ, election)) {
                    one.send(EventText.SIGN);
                } else {
                    one.end();
                }
            }));
        }

        @Override
        public void end() {
            stream.ifPresent(EventStream::end);
        }
    }
}
