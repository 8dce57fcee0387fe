package dev.incumbent.lab;

import dev.incumbent.lab.world.FaultKind;
import dev.incumbent.lab.world.FaultTarget;
import dev.incumbent.lab.world.LabFault;
import dev.incumbent.simulation.Draws;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What befalls a group. A scenario's faults are drawn from the seed, and are the same for every protocol. */
public enum LabScenario implements ScenarioPlan {
    CALM("calm", "nothing fails"),
    LEADER_CRASH("leader-crash", "the leader's process dies, and starts again after 40 s"),
    GREATEST_CRASH("greatest-crash", "the member with the greatest id dies, and starts again after 40 s"),
    GREATEST_FLAPS(
            "greatest-flaps",
            "the member with the greatest id dies eight times, for 3 s each, and lives 7 s in between"),
    LONG_PAUSE("long-pause", "the leader stands still for 30 s"),
    PARTITION(
            "partition",
            "the leader and a minority on one side, the others and the store on the other one, for 40 s; all reach the"
                    + " sink"),
    ONE_WAY_UNHEARD(
            "one-way-unheard", "what the leader sends to members and store is lost for 40 s, what they send arrives"),
    ONE_WAY_DEAF("one-way-deaf", "what members and store send to the leader is lost for 40 s, what it sends arrives"),
    MAJORITY_LOST("majority-lost", "a majority without the leader dies, and starts again after 40 s"),
    CLOCK_RATE(
            "clock-rate",
            "the leader's clock runs at half its speed, far beyond what is allowed for, and it is cut off for 40 s"),
    CLOCK_STEP("clock-step", "a follower's wall clock is set an hour forward, later the leader's an hour back"),
    LOSSY("lossy", "a fifth of all messages is lost for 60 s"),
    SLOW("slow", "each message takes up to 2 s for 60 s"),
    ROLLING_RESTART("rolling-restart", "one member after the other is stopped in good order and started again"),
    HANDOVER("handover", "the leader is asked to hand over"),
    ELECTION_CRASH("election-crash", "the leader dies, and so does the first that holds an election about it"),
    STORE_FAILOVER("store-failover", "the store fails over to a copy that has nothing of what was written"),
    PAUSES("pauses", "for 270 s some member stands still every 10 s, for 0.2 to 30 s");

    private static final Duration RECOVERY = Duration.ofSeconds(40);
    private static final int FLAPS = 8;
    private static final int PAUSE_EVERY_SECONDS = 10;
    private static final int PAUSING_SECONDS = 270;
    private static final double LEAST_PAUSE_MILLIS = 200;
    private static final double PAUSE_RANGE = 150;
    private static final int MOST_SLOW_MILLIS = 2_000;
    private static final int HALF_MINUTE = 30;

    private final String label;
    private final String what;

    LabScenario(String label, String what) {
        this.label = label;
        this.what = what;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public String what() {
        return what;
    }

    /** The one of that name. */
    public static Optional<LabScenario> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label.equals(label)).findFirst();
    }

    /** Until all could have come right. */
    @Override
    public Duration measured(Duration lease) {
        Duration least = Duration.ofSeconds(this == PAUSES ? 300 : 100);
        Duration needed = RECOVERY.plus(lease.multipliedBy(2));
        return needed.compareTo(least) > 0 ? needed : least;
    }

    @Override
    public List<LabFault> faults(int size, long seed) {
        Draws draws = new Draws(seed, 1);
        Duration at = Duration.ofSeconds(5)
                .plusNanos(draws.below(0, Duration.ofSeconds(5).toNanos()));
        return switch (this) {
            case CALM -> List.of();
            case LEADER_CRASH -> List.of(lasting(at, FaultKind.CRASH, FaultTarget.Role.LEADER));
            case GREATEST_CRASH -> List.of(lasting(at, FaultKind.CRASH, FaultTarget.Role.GREATEST));
            case GREATEST_FLAPS -> flaps(at);
            case LONG_PAUSE ->
                List.of(new LabFault(at, FaultKind.PAUSE, FaultTarget.Role.LEADER, Duration.ofSeconds(HALF_MINUTE)));
            case PARTITION -> List.of(lasting(at, FaultKind.PARTITION, FaultTarget.Role.LEADERS_MINORITY));
            case ONE_WAY_UNHEARD -> List.of(lasting(at, FaultKind.UNHEARD, FaultTarget.Role.LEADER));
            case ONE_WAY_DEAF -> List.of(lasting(at, FaultKind.DEAF, FaultTarget.Role.LEADER));
            case MAJORITY_LOST -> List.of(lasting(at, FaultKind.CRASH, FaultTarget.Role.OTHER_MAJORITY));
            case CLOCK_RATE ->
                List.of(
                        new LabFault(at, FaultKind.CLOCK_RATE, FaultTarget.Role.LEADER, RECOVERY, 0.5),
                        lasting(at, FaultKind.PARTITION, FaultTarget.Role.LEADER));
            case CLOCK_STEP ->
                List.of(
                        new LabFault(at, FaultKind.WALL_STEP, FaultTarget.Role.FOLLOWER, Duration.ZERO, 3600),
                        new LabFault(
                                at.plusSeconds(HALF_MINUTE),
                                FaultKind.WALL_STEP,
                                FaultTarget.Role.LEADER,
                                Duration.ZERO,
                                -3600));
            case LOSSY ->
                List.of(new LabFault(
                        at, FaultKind.LOSS, FaultTarget.Role.ALL, Duration.ofSeconds(2 * HALF_MINUTE), 20));
            case SLOW ->
                List.of(new LabFault(
                        at,
                        FaultKind.DELAY,
                        FaultTarget.Role.ALL,
                        Duration.ofSeconds(2 * HALF_MINUTE),
                        MOST_SLOW_MILLIS));
            case ROLLING_RESTART -> rolling(at, size);
            case HANDOVER -> List.of(new LabFault(at, FaultKind.HAND_OVER, FaultTarget.Role.LEADER, Duration.ZERO));
            case ELECTION_CRASH ->
                List.of(
                        lasting(at, FaultKind.CRASH, FaultTarget.Role.LEADER),
                        lasting(at, FaultKind.ELECTOR_CRASH, FaultTarget.Role.ALL));
            case STORE_FAILOVER ->
                List.of(new LabFault(at, FaultKind.STORE_FORGETS, FaultTarget.Role.ALL, Duration.ZERO));
            case PAUSES -> pauses(at, size, draws);
        };
    }

    private static LabFault lasting(Duration at, FaultKind kind, FaultTarget target) {
        return new LabFault(at, kind, target, RECOVERY);
    }

    private static List<LabFault> flaps(Duration from) {
        List<LabFault> flaps = new ArrayList<>();
        for (int i = 0; i < FLAPS; i++) {
            flaps.add(new LabFault(
                    from.plusSeconds(i * 10L), FaultKind.CRASH, FaultTarget.Role.GREATEST, Duration.ofSeconds(3)));
        }
        return flaps;
    }

    /** All within a minute, each away for at most 3 s. */
    private static List<LabFault> rolling(Duration from, int size) {
        Duration each = Duration.ofMinutes(1).dividedBy(size);
        Duration away =
                each.dividedBy(2).compareTo(Duration.ofSeconds(3)) < 0 ? each.dividedBy(2) : Duration.ofSeconds(3);
        List<LabFault> rolling = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            rolling.add(new LabFault(from.plus(each.multipliedBy(i)), FaultKind.RESTART, new FaultTarget.One(i), away));
        }
        return rolling;
    }

    /** Lengths are drawn so that each order of magnitude is as likely as the next one. */
    private static List<LabFault> pauses(Duration from, int size, Draws draws) {
        List<LabFault> pauses = new ArrayList<>();
        for (int second = 0; second < PAUSING_SECONDS; second += PAUSE_EVERY_SECONDS) {
            double share = draws.below(0, 1_000_000) / 1e6;
            long millis = (long) (LEAST_PAUSE_MILLIS * StrictMath.pow(PAUSE_RANGE, share));
            FaultTarget target =
                    draws.oneIn(0, 2) ? FaultTarget.Role.LEADER : new FaultTarget.One((int) draws.below(0, size));
            pauses.add(new LabFault(from.plusSeconds(second), FaultKind.PAUSE, target, Duration.ofMillis(millis)));
        }
        return pauses;
    }
}
