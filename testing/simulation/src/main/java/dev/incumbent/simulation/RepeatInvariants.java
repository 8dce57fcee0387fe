package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Request;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Invariants of calls that are made once, and twice: what their answers promise, and what they end. */
final class RepeatInvariants {
    static final String RESIGNING = "resigning ";

    private RepeatInvariants() {}

    /**
     * Once a resignation is done, the task that ran when it was asked for does not run any more, however often it is asked for. What a former candidacy leaves
     * running is told by the end of that one.
     */
    static final class WhoHasResignedRunsNoTask extends Inspector {
        WhoHasResignedRunsNoTask(World world) {
            super(world);
        }

        @Override
        void promised(SimulatedProcess by, String what, CompletionStage<?> stage) {
            for (Player player : by.players()) {
                if (what.equals(RESIGNING + player.election())) {
                    player.taskOfItsCandidacy()
                            .filter(SimulatedTask::isWaitedFor)
                            .ifPresent(task -> stage.thenRun(() -> stopped(by, task)));
                }
            }
        }

        private void stopped(SimulatedProcess by, SimulatedTask task) {
            if (task.runs()) {
                violated(by.candidate() + " has resigned, and its task of " + task.term() + " runs");
            }
        }
    }

    /** A term that was resigned was asked to, by its program or by an operator, after it had been won, or its task has returned: no call ends a term that comes after it. */
    static final class NoCallEndsALaterTerm extends Inspector {
        private final Map<Asker, Long> asked = new LinkedHashMap<>();
        private final Map<Won, Long> won = new LinkedHashMap<>();
        private final Set<Won> requested = new LinkedHashSet<>();

        private record Asker(CandidateId by, ElectionName election) {}

        private record Won(ElectionName election, long term) {}

        NoCallEndsALaterTerm(World world) {
            super(world);
        }

        @Override
        void resigns(Player player) {
            asked.put(new Asker(player.candidate().id(), player.election()), world().now());
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            won.putIfAbsent(new Won(election, after.record().term()), world().now());
            after.record()
                    .request()
                    .filter(Request.Resign.class::isInstance)
                    .ifPresent(request -> requested.add(new Won(election, request.term())));
        }

        @Override
        void ended(Begun begun, EndReason reason) {
            Won term = new Won(begun.election(), begun.term());
            if (reason == EndReason.RESIGNED && !requested.contains(term) && !hasReturned(begun)) {
                long last = asked.getOrDefault(new Asker(begun.leader(), begun.election()), Long.MIN_VALUE);
                if (last < won.getOrDefault(term, Long.MIN_VALUE)) {
                    violated(begun + " was resigned, and nobody has asked it to since it was won");
                }
            }
        }

        private boolean hasReturned(Begun begun) {
            return world().nodes().stream()
                    .flatMap(node -> node.players().stream())
                    .filter(player -> player.candidate().id().equals(begun.leader())
                            && player.election().equals(begun.election()))
                    .flatMap(player -> player.task().stream())
                    .noneMatch(running -> running.term().number() == begun.term());
        }
    }
}
