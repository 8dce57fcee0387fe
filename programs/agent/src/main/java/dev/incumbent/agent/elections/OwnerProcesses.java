package dev.incumbent.agent.elections;

import dev.incumbent.agent.owners.OwnersEvent;
import dev.incumbent.agent.owners.OwnersState;
import dev.incumbent.agent.owners.SubLease;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The processes that the owners of one election have named. While a term is an owner's, its process is looked at: once that has ended, the work has stopped. All is called on the strand. */
final class OwnerProcesses {
    private static final Duration EACH_LOOK = Duration.ofMillis(500);

    private final Strand strand;
    private final Consumer<OwnersEvent> step;
    private final Map<String, OwnerProcess> named = new TreeMap<>();
    private Optional<String> whose = Optional.empty();
    private boolean looks;

    /** An end goes to that step. */
    OwnerProcesses(Strand strand, Consumer<OwnersEvent> step) {
        this.strand = strand;
        this.step = step;
    }

    void add(String id, OwnerProcess process) {
        named.put(id, process);
    }

    /** Looks at the one that has the term, and forgets whom the machine does not know any more. */
    void keep(OwnersState state) {
        whose = state.term().map(SubLease::owner);
        named.keySet().removeIf(id -> state.owner(id).isEmpty() && !whose.equals(Optional.of(id)));
        if (whose.isPresent() && !looks) {
            looks = true;
            var unused = strand.at(strand.nanos() + EACH_LOOK.toNanos(), this::look);
        }
    }

    private void look() {
        looks = false;
        Optional<String> gone = whose.filter(id ->
                Optional.ofNullable(named.get(id)).filter(OwnerProcess::isGone).isPresent());
        if (gone.isPresent()) {
            step.accept(new OwnersEvent.Left(gone.get()));
        } else if (whose.isPresent()) {
            looks = true;
            var unused = strand.at(strand.nanos() + EACH_LOOK.toNanos(), this::look);
        }
    }
}
