package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Who watches what. A change is told without the record, which is read then, over the same link and so never older than what was told before; a new link begins
 * with a gap for everybody, and with reading everything again. Belongs to the coordinator's thread, and calls watchers on it.
 */
final class Watches implements Line.Listener {
    private final Surroundings around;
    private final Map<ElectionName, Subject> subjects = new HashMap<>();
    private final Line line;
    private final Records records;

    Watches(Surroundings around) {
        this.around = around;
        this.line = new Line(around, this);
        this.records = new Records(around, line);
    }

    Line line() {
        return line;
    }

    Records records() {
        return records;
    }

    /** One election that is watched. */
    private final class Subject {
        private final ElectionName election;
        private final List<Watching> watchings = new ArrayList<>();
        private Optional<ObservedRecord> last = Optional.empty();
        private boolean reading;
        private boolean changedMeanwhile;

        Subject(ElectionName election) {
            this.election = election;
        }

        void look(Link link) {
            if (reading) {
                changedMeanwhile = true;
                return;
            }
            reading = true;
            link.client()
                    .getData(
                            around.nodes().record(election),
                            false,
                            (rc, path, context, data, stat) -> link.then(() -> {
                                if (line.connection().isCurrent(link)) {
                                    seen(link, Failures.code(rc), data, stat);
                                }
                            }),
                            null);
        }

        private void seen(Link link, Code code, byte[] data, Stat stat) {
            reading = false;
            if (code == Code.NONODE) {
                tellState(Optional.of(ObservedRecord.ABSENT));
            } else if (code == Code.OK) {
                tellState(read(data, stat));
            } else if (!Failures.isUnanswered(code)) {
                tellState(Optional.empty());
            }
            if (changedMeanwhile) {
                changedMeanwhile = false;
                look(link);
            }
        }

        private Optional<ObservedRecord> read(byte[] data, Stat stat) {
            try {
                return Optional.of(records.observed(data, stat));
            } catch (UnreadableRecordException e) {
                return Optional.empty();
            }
        }

        private void tellState(Optional<ObservedRecord> state) {
            last = state;
            tell(state.isPresent() ? watcher -> watcher.changed(state.get()) : Watcher::gap);
        }

        private void tell(Consumer<Watcher> what) {
            List.copyOf(watchings).forEach(watching -> watching.tell(what));
        }

        void leaseDied(String name) {
            boolean was = last.filter(ObservedRecord::leaseAlive)
                    .flatMap(told -> told.record().lease())
                    .filter(lease -> Nodes.escaped(lease.value()).equals(name))
                    .isPresent();
            if (was) {
                tellState(
                        last.map(told -> new ObservedRecord(told.record(), told.revision(), false, Optional.empty())));
            }
        }

        void broken() {
            boolean begun = last.isPresent();
            last = Optional.empty();
            reading = false;
            changedMeanwhile = false;
            if (begun) {
                tell(Watcher::gap);
            }
        }
    }

    /** May be called by any thread. */
    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, it -> around.turns().execute(() -> end(it)));
        around.turns().execute(() -> begin(watching));
        return watching;
    }

    private void begin(Watching watching) {
        Subject subject = subjects.computeIfAbsent(watching.election(), Subject::new);
        subject.watchings.add(watching);
        line.connection().link().ifPresent(subject::look);
    }

    private void end(Watching watching) {
        Subject subject = subjects.get(watching.election());
        if (subject != null && subject.watchings.remove(watching) && subject.watchings.isEmpty()) {
            subjects.remove(watching.election());
        }
    }

    /** Nobody hears anything more. */
    void close() {
        subjects.values().forEach(subject -> subject.watchings.forEach(Watching::silence));
        subjects.clear();
    }

    @Override
    public void ready(Link link) {
        subjects.values().forEach(subject -> subject.look(link));
    }

    @Override
    public void broken() {
        List.copyOf(subjects.values()).forEach(Subject::broken);
    }

    @Override
    public void recordChanged(String name) {
        Optional<Subject> subject = Nodes.election(name).map(subjects::get);
        line.connection().link().ifPresent(link -> subject.ifPresent(it -> it.look(link)));
    }

    @Override
    public void leaseDied(String name) {
        List.copyOf(subjects.values()).forEach(subject -> subject.leaseDied(name));
    }
}
