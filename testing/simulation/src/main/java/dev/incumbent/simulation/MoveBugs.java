package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.ElectionProtocol;
import dev.incumbent.protocol.Setup;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Bugs put around the election machine: when it hands over to a better rank by itself. */
final class MoveBugs {
    private MoveBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "a-move-is-forgotten",
                                "a leader moves once for each change of what ranks depend on, whoever leads",
                                "OneMoveForEachChange",
                                0,
                                Rewriting.events((state, event, now) ->
                                        Rewriting.records(event, record -> record.withMoved(Optional.empty()))))
                        .needing(Kind.MOVES),
                bug(
                                "a-move-at-once",
                                "a term is moved only after it has lasted so long",
                                "OnlyTheBetterIsMovedTo",
                                0,
                                new MovesAtOnce())
                        .needing(Kind.MOVES),
                bug(
                                "a-transfer-is-not-noted",
                                "a handover is noted, so that no move undoes it",
                                "AHandoverNamesItsSuccessor",
                                0,
                                WritingBugs.swapping(
                                        Attempt.Kind.VACATE,
                                        (state, next) ->
                                                next.withMoved(state.record().moved())))
                        .needing(Kind.TRANSFER));
    }

    private static final class MovesAtOnce implements Canary {
        @Override
        public Machine machine(Setup setup) {
            boolean moves = setup.succession().movesAfter().isPresent();
            return new ElectionProtocol(moves ? setup.movingAfter(Optional.of(Duration.ZERO)) : setup)::step;
        }
    }
}
