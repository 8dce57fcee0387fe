package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What a coordinator tells of its elections, 2,000 of them at a time. Blocks the calling thread. */
public final class Enquiry {
    private static final int AT_A_TIME = 2_000;

    private final Coordinator coordinator;

    /** Asks that coordinator; does not close it. */
    public Enquiry(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** The elections that {@code NAME}, {@code NAME/} for all beneath it, or nothing for all of them means, in order. */
    public Set<ElectionName> named(String prefix) {
        if (prefix.isEmpty()) {
            return new TreeSet<>(Answers.await(coordinator.elections("")));
        }
        boolean beneath = prefix.endsWith("/");
        ElectionName name = name(beneath ? prefix.substring(0, prefix.length() - 1) : prefix);
        Set<ElectionName> found = new TreeSet<>(Answers.await(coordinator.elections(name.value())));
        found.removeIf(election -> election.equals(name) == beneath);
        return found;
    }

    /** Does that mean one election, and not all or all beneath? */
    public static boolean isOne(String prefix) {
        return !prefix.isEmpty() && !prefix.endsWith("/");
    }

    /** Nothing is known of an election of that name: no record and no candidate. */
    public static String unknown(String name) {
        return "there is no election " + name + " here: no record, and no candidate";
    }

    /** One election's record, the empty one where somebody stands and nothing was written yet; refused with 1 where there is no such election. */
    public ObservedRecord known(ElectionName election) {
        return find(election).orElseThrow(() -> Refusal.notSo(unknown(election.value())));
    }

    /** The same; empty where there is no such election. */
    public Optional<ObservedRecord> find(ElectionName election) {
        ObservedRecord observed = record(election);
        return observed.equals(ObservedRecord.ABSENT) && candidates(election).isEmpty()
                ? Optional.empty()
                : Optional.of(observed);
    }

    private List<Enlisted> candidates(ElectionName election) {
        return Answers.await(coordinator.candidates(Set.of(election))).getOrDefault(election, List.of());
    }

    /** All there is to tell of them, in order. */
    public List<Standing> standings(Set<ElectionName> elections) {
        List<Standing> standings = new ArrayList<>();
        forEach(elections, standings::add);
        return standings;
    }

    /** The same, told as it is read, for more elections than memory may hold. */
    public void forEach(Set<ElectionName> elections, Consumer<Standing> told) {
        List<ElectionName> inOrder = elections.stream().sorted().toList();
        for (int begin = 0; begin < inOrder.size(); begin += AT_A_TIME) {
            Set<ElectionName> some = Set.copyOf(inOrder.subList(begin, Math.min(begin + AT_A_TIME, inOrder.size())));
            Map<ElectionName, Reading> readings = new TreeMap<>(Answers.await(coordinator.read(some)));
            Map<ElectionName, List<Enlisted>> candidates = Answers.await(coordinator.candidates(some));
            readings.forEach((election, reading) ->
                    told.accept(new Standing(election, reading, candidates.getOrDefault(election, List.of()))));
        }
    }

    /** One election's record, the empty one where it was never written; refused with 69 or 78 where it cannot be read. */
    public ObservedRecord record(ElectionName election) {
        Reading reading = Answers.await(coordinator.read(Set.of(election))).get(election);
        if (reading instanceof Reading.Found found) {
            return found.record();
        }
        if (reading instanceof Reading.Foreign foreign) {
            throw Refusal.configuration("the record of " + election + " cannot be understood: " + foreign.why());
        }
        if (reading instanceof Reading.Unread unread) {
            throw Refusal.unreachable("the record of " + election + " could not be read: " + unread.why());
        }
        return ObservedRecord.ABSENT;
    }

    private static ElectionName name(String text) {
        try {
            return new ElectionName(text);
        } catch (IllegalArgumentException refused) {
            throw Refusal.usage(String.valueOf(refused.getMessage()));
        }
    }
}
