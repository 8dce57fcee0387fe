package dev.incumbent.cli.simulate;

import dev.incumbent.cli.story.StoryJson;
import dev.incumbent.cli.story.StoryPage;
import dev.incumbent.lab.LabStory;
import dev.incumbent.simulation.Ending;
import dev.incumbent.simulation.Fault;
import dev.incumbent.simulation.WorldWatcher;
import dev.incumbent.wire.JsonWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** What one world of the shipped code did, written down to be played. Of its messages the last ones are kept, since a world that violates an invariant ends there. */
final class ReplayStory implements WorldWatcher {
    private static final int MOST_MESSAGES = 8_000;
    private static final int MOST_MARKS = 4_000;
    private static final long NOT = -1;

    private final Deque<LabStory.Message> messages = new ArrayDeque<>();
    private final Deque<LabStory.Mark> marks = new ArrayDeque<>();
    private final List<LabStory.Span> beliefs = new ArrayList<>();
    private final List<LabStory.Span> downs = new ArrayList<>();
    private final List<LabStory.Span> pauses = new ArrayList<>();
    private List<String> places = List.of();
    private List<Fault> faults = List.of();
    private long[] leadsSince = {};
    private long[] downSince = {};
    private long[] stillSince = {};

    @Override
    public void begins(List<String> all, int machines, List<Fault> toCome) {
        places = all;
        faults = toCome;
        leadsSince = new long[machines];
        Arrays.fill(leadsSince, NOT);
        stillSince = leadsSince.clone();
        downSince = new long[machines];
    }

    @Override
    public void sent(long at, int from, int to, long takes) {
        boolean withTheStore = to == leadsSince.length || from == leadsSince.length;
        String label = withTheStore ? "store" : "sinks";
        keep(messages, new LabStory.Message(at, takes, from, to, "HEARTBEAT", label), MOST_MESSAGES);
    }

    @Override
    public void believes(long at, int machine, boolean leads) {
        turn(beliefs, leadsSince, machine, at, leads);
    }

    @Override
    public void isUp(long at, int machine, boolean up) {
        turn(downs, downSince, machine, at, !up);
        mark(at, places.get(machine) + (up ? " starts" : " is gone"));
    }

    @Override
    public void pauses(long at, int machine, boolean still) {
        turn(pauses, stillSince, machine, at, still);
    }

    @Override
    public void mark(long at, String what) {
        keep(marks, new LabStory.Mark(at, what), MOST_MARKS);
    }

    private static void turn(List<LabStory.Span> spans, long[] since, int machine, long at, boolean begins) {
        if (begins && since[machine] == NOT) {
            since[machine] = at;
        } else if (!begins && since[machine] != NOT) {
            spans.add(new LabStory.Span(machine, since[machine], at));
            since[machine] = NOT;
        }
    }

    private static <T> void keep(Deque<T> all, T one, int most) {
        if (all.size() == most) {
            all.removeFirst();
        }
        all.addLast(one);
    }

    /** The machine that its node number names; nobody where the leader, all, the store or a sink is struck. */
    private List<Integer> struck(Fault fault) {
        return switch (fault.kind()) {
            case PAUSE_THE_LEADER,
                    PAUSE_BETWEEN_CHECK_AND_EFFECT,
                    CUT_THE_LEADER,
                    PREEMPTED_UNHEARD,
                    FAILING_TASK,
                    RESIGN,
                    TRANSFER,
                    STORE_DOWN,
                    LEASES_LOST,
                    STORE_RESTORED,
                    STORE_CLOCK_BACK,
                    STORE_CLOCK_FORWARD,
                    SINK_BACK,
                    FREEZE,
                    TYPO,
                    OPERATOR_TRANSFER,
                    PLANNED_TRANSFER,
                    STONITH -> List.of();
            default -> List.of(fault.node() % leadsSince.length);
        };
    }

    void write(Path file, String seed, Ending ending) {
        long end = ending.simulatedNanos();
        for (int machine = 0; machine < leadsSince.length; machine++) {
            turn(beliefs, leadsSince, machine, end, false);
            turn(downs, downSince, machine, end, false);
            turn(pauses, stillSince, machine, end, false);
        }
        ending.violation()
                .ifPresent(violation ->
                        mark(violation.atNanos(), "VIOLATED " + violation.invariant() + ": " + violation.how()));
        List<LabStory.Fault> bands = faults.stream()
                .filter(fault -> fault.atNanos() < end)
                .map(fault -> new LabStory.Fault(
                        fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        struck(fault),
                        fault.atNanos(),
                        Math.min(end, fault.atNanos() + fault.lengthNanos())))
                .toList();
        long begins = ending.violation()
                .map(violation ->
                        Math.max(0, violation.atNanos() - Duration.ofSeconds(5).toNanos()))
                .orElse(0L);
        LabStory story = new LabStory(
                leadsSince.length,
                0,
                end,
                begins,
                List.copyOf(messages),
                beliefs,
                downs,
                pauses,
                bands,
                List.copyOf(marks));
        String plot = ending.violation()
                .map(violation -> "It violates " + violation.invariant() + ": " + violation.how())
                .orElse("No invariant is violated.");
        JsonWriter json = new JsonWriter()
                .openObject()
                .field("title", "Incumbent: the world of seed " + seed)
                .field(
                        "about",
                        "The shipped code in a simulated world. Beliefs are those of its first election."
                                + " Messages of all sinks are drawn at the first one. Of all messages the last "
                                + MOST_MESSAGES + " are shown.")
                .name("stories")
                .openList();
        json.raw(StoryJson.of(story, seed, "World " + seed, plot, places));
        StoryPage.write(file, json.closeList().closeObject().done());
    }
}
