package dev.incumbent.lab;

import dev.incumbent.lab.world.FaultKind;
import dev.incumbent.lab.world.FaultTarget;
import dev.incumbent.lab.world.LabFault;
import dev.incumbent.lab.world.LeaderPace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A user's own scenario, read from a small text: a line for each setting and each fault. An error names its line and says what may stand there.
 *
 * @param members how many the group has
 * @param seeds how many runs
 */
public record LabScript(
        String label,
        String what,
        int members,
        Duration lease,
        Duration length,
        int seeds,
        List<LabProtocol> protocols,
        LeaderPace pace,
        List<LabFault> faults)
        implements ScenarioPlan {
    public LabScript {
        protocols = List.copyOf(protocols);
        faults = List.copyOf(faults);
    }

    /** Reads it; throws an {@link IllegalArgumentException} whose message is one sentence for people. */
    public static LabScript parse(String label, List<String> lines) {
        Reader reader = new Reader();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                reader.take(i + 1, line);
            }
        }
        return reader.done(label);
    }

    @Override
    public Duration measured(Duration ofLease) {
        return length;
    }

    @Override
    public List<LabFault> faults(int size, long seed) {
        return faults;
    }

    /** A script in the making. */
    private static final class Reader {
        private static final Pattern FAULT = Pattern.compile("at (\\S+) (\\S+)(.*)");
        private static final Pattern TIME = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,6})?)(ms|s|m)");
        private static final Pattern MEMBER = Pattern.compile("m(\\d{1,2})");
        private static final Duration SHORTEST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofHours(1);
        private static final int MOST_SEEDS = 10_000;

        private int members = 5;
        private int seeds = 20;
        private Duration lease = LabGrid.USUAL_LEASE;
        private Duration length = Duration.ofSeconds(100);
        private List<LabProtocol> protocols = List.of(LabProtocol.values());
        private LeaderPace pace = LeaderPace.USUAL;
        private String what = "";
        private final List<LabFault> faults = new ArrayList<>();
        private int number;

        void take(int line, String text) {
            number = line;
            String[] words = text.split(" +", 2);
            String rest = words.length == 2 ? words[1] : "";
            switch (words[0]) {
                case "title" -> what = rest;
                case "members" -> members = whole("members", rest, LabGrid.MOST_MEMBERS);
                case "seeds" -> seeds = whole("seeds", rest, MOST_SEEDS);
                case "lease" -> lease = time(rest);
                case "length" -> length = length(rest);
                case "protocols" -> protocols = protocols(rest);
                case "work" -> pace = pace(rest);
                case "at" -> faults.add(fault(text));
                default ->
                    throw wrong("'" + words[0]
                            + "' begins no line; a line begins with title, members, lease, length, seeds,"
                            + " protocols, work or at");
            }
        }

        LabScript done(String label) {
            if (members < 2) {
                throw new IllegalArgumentException("members " + members + ": a group has 2 to " + LabGrid.MOST_MEMBERS);
            }
            for (LabFault fault : faults) {
                if (fault.target() instanceof FaultTarget.One one && one.index() >= members) {
                    throw new IllegalArgumentException("there is no m%02d: the last of %d members is m%02d"
                            .formatted(one.index(), members, members - 1));
                }
                if (fault.at().compareTo(length) >= 0) {
                    throw new IllegalArgumentException(
                            "a fault happens at " + fault.at().toMillis() / 1e3 + " s, and the run is only "
                                    + length.toMillis() / 1e3 + " s long: give it a later 'length'");
                }
            }
            return new LabScript(label, what, members, lease, length, seeds, protocols, pace, faults);
        }

        private Duration length(String text) {
            Duration time = time(text);
            if (time.compareTo(SHORTEST) < 0) {
                throw wrong("a run lasts at least " + SHORTEST.toSeconds() + "s, not " + text);
            }
            return time;
        }

        private List<LabProtocol> protocols(String text) {
            List<LabProtocol> all = new ArrayList<>();
            for (String name : text.strip().split("[, ]+", -1)) {
                all.add(LabProtocol.of(name)
                        .orElseThrow(
                                () -> wrong("there is no protocol '" + name + "'; incumbent lab --list has them all")));
            }
            return all;
        }

        private LeaderPace pace(String text) {
            Matcher matcher = Pattern.compile("(\\S+) every (\\S+)").matcher(text);
            if (!matcher.matches()) {
                throw wrong("a leader's work is written as: work 50ms every 100ms");
            }
            Duration work = time(matcher.group(1));
            Duration every = time(matcher.group(2));
            if (every.compareTo(work) < 0) {
                throw wrong("work of " + matcher.group(1) + " does not fit into " + matcher.group(2));
            }
            return new LeaderPace(every.minus(work), work);
        }

        private LabFault fault(String text) {
            Matcher matcher = FAULT.matcher(text);
            if (!matcher.matches()) {
                throw wrong("a fault is written as: at 10s pause leader for 30s");
            }
            Duration at = time(matcher.group(1));
            FaultText kind = FaultText.of(matcher.group(2))
                    .orElseThrow(
                            () -> wrong("there is no fault '" + matcher.group(2) + "'; there are " + FaultText.all()));
            Matcher form = kind.form().matcher(matcher.group(3).strip());
            if (!form.matches()) {
                throw wrong("this fault is written as: at " + matcher.group(1) + " " + kind.example());
            }
            FaultTarget target = kind.hasTarget() ? target(form.group("who")) : kind.usualTarget();
            Duration lasts = kind.hasLength() ? time(form.group("length")) : Duration.ZERO;
            double amount = kind.hasAmount() ? amount(kind, form.group("amount")) : 0;
            return new LabFault(at, kind.kind(), target, lasts, amount);
        }

        private double amount(FaultText kind, String text) {
            if (kind.kind() == FaultKind.DELAY) {
                return time(text).toNanos() / 1e6;
            }
            if (kind.kind() == FaultKind.LOSS) {
                return whole("loss", text, 100);
            }
            double amount = Double.parseDouble(text);
            boolean isPossible = switch (kind.kind()) {
                case CLOCK_RATE -> amount >= 0.01 && amount <= 100;
                default -> Math.abs(amount) <= 1e9;
            };
            if (!isPossible) {
                throw wrong(text + " is too little or too much; such as: at 10s " + kind.example());
            }
            return amount;
        }

        private FaultTarget target(String who) {
            Matcher member = MEMBER.matcher(who);
            if (member.matches()) {
                return new FaultTarget.One(Integer.parseInt(member.group(1)));
            }
            return switch (who) {
                case "leader" -> FaultTarget.Role.LEADER;
                case "follower" -> FaultTarget.Role.FOLLOWER;
                case "greatest" -> FaultTarget.Role.GREATEST;
                case "minority" -> FaultTarget.Role.LEADERS_MINORITY;
                case "majority" -> FaultTarget.Role.OTHER_MAJORITY;
                case "all" -> FaultTarget.Role.ALL;
                default ->
                    throw wrong("'" + who
                            + "' is nobody; a fault strikes leader, follower, greatest, minority (the"
                            + " leader's), majority (the others'), all, or a member such as m02");
            };
        }

        private Duration time(String text) {
            Matcher matcher = TIME.matcher(text);
            if (!matcher.matches()) {
                throw wrong("'" + text + "' is no time; times are written 500ms, 1.5s or 2m");
            }
            double unit = switch (matcher.group(2)) {
                case "ms" -> 1e6;
                case "s" -> 1e9;
                default -> 6e10;
            };
            Duration time = Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * unit));
            if (time.compareTo(LONGEST) > 0) {
                throw wrong(text + " is too long; nothing here lasts longer than " + LONGEST.toMinutes() + "m");
            }
            return time;
        }

        private int whole(String name, String text, int most) {
            if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > most) {
                throw wrong(name + " is a whole number from 1 to " + most + ", not '" + text + "'");
            }
            return Integer.parseInt(text);
        }

        private IllegalArgumentException wrong(String sentence) {
            return new IllegalArgumentException("line " + number + ": " + sentence);
        }
    }

    /** How a fault is written. */
    private enum FaultText {
        CRASH("crash", FaultKind.CRASH, "crash leader for 40s"),
        RESTART("restart", FaultKind.RESTART, "restart m01 for 2s"),
        PAUSE("pause", FaultKind.PAUSE, "pause leader for 30s"),
        PARTITION("partition", FaultKind.PARTITION, "partition minority for 40s"),
        UNHEARD("unheard", FaultKind.UNHEARD, "unheard leader for 40s"),
        DEAF("deaf", FaultKind.DEAF, "deaf leader for 40s"),
        CLOCK_RATE("clock-rate", FaultKind.CLOCK_RATE, "clock-rate leader 0.5 for 30s"),
        WALL_STEP("wall-step", FaultKind.WALL_STEP, "wall-step follower 3600"),
        LOSS("loss", FaultKind.LOSS, "loss 20 for 60s"),
        DELAY("delay", FaultKind.DELAY, "delay 500ms for 60s"),
        HAND_OVER("hand-over", FaultKind.HAND_OVER, "hand-over"),
        ELECTOR_CRASH("elector-crash", FaultKind.ELECTOR_CRASH, "elector-crash for 40s"),
        STORE_FORGETS("store-forgets", FaultKind.STORE_FORGETS, "store-forgets");

        private final String word;
        private final FaultKind kind;
        private final String example;

        FaultText(String word, FaultKind kind, String example) {
            this.word = word;
            this.kind = kind;
            this.example = example;
        }

        static Optional<FaultText> of(String word) {
            return List.of(values()).stream()
                    .filter(one -> one.word.equals(word))
                    .findFirst();
        }

        static String all() {
            return String.join(
                    ", ", List.of(values()).stream().map(one -> one.word).toList());
        }

        FaultKind kind() {
            return kind;
        }

        String example() {
            return example;
        }

        boolean hasTarget() {
            return !List.of(LOSS, DELAY, HAND_OVER, ELECTOR_CRASH, STORE_FORGETS)
                    .contains(this);
        }

        boolean hasLength() {
            return !List.of(WALL_STEP, HAND_OVER, STORE_FORGETS).contains(this);
        }

        boolean hasAmount() {
            return List.of(CLOCK_RATE, WALL_STEP, LOSS, DELAY).contains(this);
        }

        FaultTarget usualTarget() {
            return this == HAND_OVER ? FaultTarget.Role.LEADER : FaultTarget.Role.ALL;
        }

        Pattern form() {
            List<String> parts = new ArrayList<>();
            if (hasTarget()) {
                parts.add("(?<who>\\S+)");
            }
            if (hasAmount()) {
                parts.add(this == DELAY ? "(?<amount>\\S+)" : "(?<amount>-?\\d{1,9}(?:\\.\\d{1,6})?)");
            }
            if (hasLength()) {
                parts.add("for (?<length>\\S+)");
            }
            return Pattern.compile(String.join(" +", parts));
        }
    }
}
