package dev.incumbent.lab;

import dev.incumbent.lab.world.LabFault;
import dev.incumbent.lab.world.MessageKind;
import dev.incumbent.lab.world.RunWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Writes down what happens in one run between two moments. */
final class StoryRecorder implements RunWatcher {
    private static final int MOST_MESSAGES = 700;
    private static final int MOST_MARKS = 300;
    private static final long UNSET = Long.MIN_VALUE;

    private final LongSupplier now;
    private final long from;
    private final long to;
    private final List<LabStory.Message> messages = new ArrayList<>();
    private final List<LabStory.Span> beliefs = new ArrayList<>();
    private final List<LabStory.Span> downs = new ArrayList<>();
    private final List<LabStory.Span> pauses = new ArrayList<>();
    private final List<LabStory.Fault> faults = new ArrayList<>();
    private final List<LabStory.Mark> marks = new ArrayList<>();
    private final long[] believesSince;
    private final long[] believesUntil;
    private final long[] downSince;
    private int leftOut;

    StoryRecorder(int members, LongSupplier now, long from, long to) {
        this.now = now;
        this.from = from;
        this.to = to;
        this.believesSince = filled(members, UNSET);
        this.believesUntil = filled(members, UNSET);
        this.downSince = filled(members, 0);
    }

    private static long[] filled(int members, long with) {
        long[] all = new long[members];
        Arrays.fill(all, with);
        return all;
    }

    @Override
    public void sent(MessageKind kind, String label, Way way, long takes) {
        if (kind == MessageKind.WORK || !isShown(now.getAsLong())) {
            return;
        }
        if (messages.size() < MOST_MESSAGES) {
            messages.add(new LabStory.Message(now.getAsLong(), takes, way.from(), way.to(), kind.name(), label));
        } else {
            leftOut++;
        }
    }

    /** A belief that goes on is one span, however often it is renewed. */
    @Override
    public void believes(int member, long until) {
        long at = now.getAsLong();
        if (believesSince[member] != UNSET && believesUntil[member] < at) {
            endBelief(member, believesUntil[member]);
        }
        if (until > at && believesSince[member] == UNSET) {
            believesSince[member] = at;
        } else if (until <= at && believesSince[member] != UNSET) {
            endBelief(member, at);
        }
        believesUntil[member] = until;
    }

    private void endBelief(int member, long at) {
        add(beliefs, member, believesSince[member], at);
        believesSince[member] = UNSET;
    }

    @Override
    public void isUp(int member, boolean up) {
        long at = now.getAsLong();
        if (up) {
            add(downs, member, downSince[member], at);
            downSince[member] = UNSET;
        } else {
            downSince[member] = at;
        }
        mark(LabStory.place(member, downSince.length) + (up ? " starts" : " is gone"));
    }

    @Override
    public void pauses(int member, long until) {
        add(pauses, member, now.getAsLong(), until);
    }

    @Override
    public void fault(LabFault fault, List<Integer> struck) {
        long at = now.getAsLong();
        if (isShown(at)) {
            String what = fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            faults.add(new LabStory.Fault(
                    what, struck, at, Math.min(to, at + fault.length().toNanos())));
        }
    }

    @Override
    public void mark(String what) {
        if (isShown(now.getAsLong()) && marks.size() < MOST_MARKS) {
            marks.add(new LabStory.Mark(now.getAsLong(), what));
        }
    }

    /** What was written down. */
    LabStory told() {
        for (int member = 0; member < downSince.length; member++) {
            if (believesSince[member] != UNSET) {
                endBelief(member, Math.min(to, believesUntil[member]));
            }
            if (downSince[member] != UNSET) {
                add(downs, member, downSince[member], to);
            }
        }
        if (leftOut > 0) {
            marks.add(new LabStory.Mark(
                    messages.get(messages.size() - 1).at(), leftOut + " further messages are not shown"));
        }
        long begins = Math.max(
                from,
                faults.stream().mapToLong(LabStory.Fault::from).min().orElse(from)
                        - Duration.ofMillis(200).toNanos());
        return new LabStory(downSince.length, from, to, begins, messages, beliefs, downs, pauses, faults, marks);
    }

    private void add(List<LabStory.Span> spans, int member, long begins, long ends) {
        long first = Math.max(from, begins);
        long last = Math.min(to, ends);
        if (first < last) {
            spans.add(new LabStory.Span(member, first, last));
        }
    }

    private boolean isShown(long at) {
        return from <= at && at < to;
    }
}
