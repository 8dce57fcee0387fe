package dev.incumbent.agent.elections;

import dev.incumbent.agent.owners.OwnersEffect;
import dev.incumbent.agent.owners.OwnersEvent;
import dev.incumbent.agent.owners.OwnersState;
import dev.incumbent.agent.watchdog.WatchKey;
import dev.incumbent.model.ElectionName;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stands between the owners of one election and the watchdog of the host. All is called on the strand of the owners. */
final class WatchdogOfTerms {
    private final HostWatchdog watchdog;
    private final ElectionName election;
    private final Strand strand;
    private final Map<String, Stander> standers = new TreeMap<>();
    private Consumer<OwnersEvent> step = event -> {};

    WatchdogOfTerms(HostWatchdog watchdog, ElectionName election, Strand strand) {
        this.watchdog = watchdog;
        this.election = election;
        this.strand = strand;
    }

    /** What the watchdog says goes there. Called once, before anything else. */
    void tells(Consumer<OwnersEvent> taken) {
        step = taken;
    }

    /** That one asks for the watchdog. */
    void add(String id, Stander stander) {
        standers.put(id, stander);
    }

    /** Forgets whom the machine does not know any more. */
    void keep(OwnersState state) {
        standers.keySet()
                .removeIf(id -> state.owner(id).isEmpty()
                        && state.term().filter(sub -> sub.owner().equals(id)).isEmpty());
    }

    /** Does what concerns the watchdog. */
    void perform(OwnersEffect effect, Function<Long, Optional<TermTask>> task) {
        if (effect instanceof OwnersEffect.Watch e) {
            watch(new WatchKey(e.id(), e.token()), task.apply(e.token()));
        } else if (effect instanceof OwnersEffect.WatchEnds e) {
            watchdog.ends(new WatchKey(e.id(), e.token()));
        } else if (effect instanceof OwnersEffect.Unwatch e) {
            watchdog.stopped(new WatchKey(e.id(), e.token()));
        }
    }

    private void watch(WatchKey key, Optional<TermTask> task) {
        Optional<Stander> stander = Optional.ofNullable(standers.get(key.owner()));
        GuardedWork work = new GuardedWork(
                election.value(), stander.map(Stander::name).orElse(""), stander.flatMap(Stander::process));
        watchdog.watch(key, work, new ToOwners(key));
        task.ifPresent(one -> one.onRenewed(validity -> watchdog.validity(key, validity)));
    }

    /** Tells the owners' machine, on its strand. */
    private final class ToOwners implements HostWatchdog.Hearing {
        private final WatchKey key;

        ToOwners(WatchKey key) {
            this.key = key;
        }

        @Override
        public void guards(long firesAtNanos) {
            tell(new OwnersEvent.Guarded(key.owner(), key.token(), firesAtNanos));
        }

        @Override
        public void unguarded() {
            tell(new OwnersEvent.Unguarded(key.owner(), key.token()));
        }

        @Override
        public void gone() {
            tell(new OwnersEvent.Left(key.owner()));
        }

        private void tell(OwnersEvent event) {
            strand.execute(() -> step.accept(event));
        }
    }
}
