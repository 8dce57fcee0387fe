package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What holds of sinks, and of freezes, which they remember. Each is a class named as its sentence. */
final class SinkInvariants {
    private SinkInvariants() {}

    private record AtSink(SinkModel sink, ElectionName election) {}

    /** What a sink admits bears tokens that never go down, whatever the clocks do. */
    static final class SinksAdmitInTermOrder extends Inspector {
        private final Map<AtSink, Long> top = new LinkedHashMap<>();

        SinksAdmitInTermOrder(World world) {
            super(world);
        }

        @Override
        void wentBack(SinkModel sink) {
            top.keySet().removeIf(key -> key.sink() == sink);
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            Long before = top.put(new AtSink(sink, election), token.value());
            if (before != null && before > token.value()) {
                violated(sink.id() + " admits token " + token + " of " + election + " after " + before);
            }
        }
    }

    /** Once a term has begun (perhaps before an older one hears that it may), no sink admits what an older one sent; but for a sink that went back, until it is raised again. */
    static final class NothingStaleAfterTheRaise extends Inspector {
        private final Map<ElectionName, Begun> latest = new LinkedHashMap<>();
        private final Set<AtSink> back = new LinkedHashSet<>();

        NothingStaleAfterTheRaise(World world) {
            super(world);
        }

        @Override
        void begun(Begun begun) {
            latest.merge(begun.election(), begun, (before, now) -> now.term() < before.term() ? before : now);
        }

        @Override
        void wentBack(SinkModel sink) {
            world().elections().forEach(election -> back.add(new AtSink(sink, election)));
        }

        @Override
        void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
            Begun last = latest.get(election);
            if (last == null || after.token().value() >= last.term()) {
                back.remove(new AtSink(sink, election));
            }
        }

        @Override
        void admitted(SinkModel sink, ElectionName election, FencingToken token, int begun) {
            Begun last = latest.get(election);
            if (last == null || back.contains(new AtSink(sink, election))) {
                return;
            }
            if (begun < last.index() || token.value() < last.term()) {
                violated(sink.id() + " admits token " + token + " of " + election + " after term " + last.term()
                        + " has begun");
            }
        }
    }

    /** From the moment a freeze is quiet until a thaw begins. */
    static final class NobodyLeadsOnceFrozen extends Inspector implements Onlooker {
        private final Set<ElectionName> quiet = new LinkedHashSet<>();

        NobodyLeadsOnceFrozen(World world) {
            super(world);
        }

        @Override
        void quiet(ElectionName election) {
            quiet.add(election);
            world().guardsMayChange();
        }

        @Override
        void thawing(ElectionName election) {
            quiet.remove(election);
        }

        @Override
        void begun(Begun begun) {
            if (quiet.contains(begun.election())) {
                violated("term " + begun.term() + " of " + begun.election() + " begins while it is frozen and quiet");
            }
        }

        @Override
        public void believed(List<Belief> beliefs) {
            if (quiet.isEmpty()) {
                return;
            }
            for (Belief belief : beliefs) {
                Player player = belief.player();
                if (quiet.contains(player.election())) {
                    violated(player.candidate() + " believes to lead " + player.election() + " while it is quiet");
                }
            }
        }
    }

    /** A mark that a freeze owns is passed by a freeze or a thaw alone, and only a thaw clears the flag. */
    static final class OnlyAThawPassesAFreeze extends Inspector {
        OnlyAThawPassesAFreeze(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            boolean cleared = before.record().isFrozen() && !after.record().isFrozen();
            if (cleared && !after.record().nonce().startsWith(SimulatedOperator.NAME)) {
                violated("the flag of " + election + " is cleared by "
                        + after.record().nonce());
            }
        }

        @Override
        void raised(SinkModel sink, ElectionName election, Optional<Mark> before, Mark after) {
            boolean frozen =
                    before.filter(m -> m.owner() instanceof MarkOwner.OfFreeze).isPresent();
            boolean may = after.owner() instanceof MarkOwner.OfFreeze || after.owner() instanceof MarkOwner.OfThaw;
            if (frozen && !may) {
                violated(after + " passes the freeze's " + before.orElseThrow() + " at " + sink.id());
            }
        }
    }
}
