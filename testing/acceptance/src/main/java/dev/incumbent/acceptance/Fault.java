package dev.incumbent.acceptance;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** What befalls an ensemble. The member it strikes and the second one are drawn; where the leader is struck, those that are drawn are not needed. */
enum Fault {
    /** Members and leader hear no more of one another; clients reach all. */
    LEADER_CUT_OFF("the leader and the other members do not reach one another"),
    LEADER_UNHEARD("the other members do not hear the leader, which hears them"),
    LEADER_DEAF("the leader does not hear the other members, which hear it"),
    MEMBER_CUT_OFF("one member reaches neither members nor clients"),
    ONE_WAY_LINK("one member does not hear one other"),
    MEMBER_FROZEN("one member is frozen"),
    LEADER_FROZEN("the leader is frozen"),
    MEMBER_KILLED("one member is killed, and started again"),
    LEADER_KILLED("the leader is killed, and started again"),
    TWO_FROZEN("two members are frozen"),
    TWO_KILLED("two members are killed, and started again"),
    ALL_FROZEN("all members are frozen");

    private final String sentence;

    Fault(String sentence) {
        this.sentence = sentence;
    }

    /** By its name in small letters. */
    static Fault named(String name) {
        return Arrays.stream(values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fault is called " + name + "; known are "
                        + Arrays.toString(values()).toLowerCase(Locale.ROOT)));
    }

    /** Are those that it spares of so many members still a majority, which clients reach? */
    boolean sparesMajority(int members) {
        int struck = switch (this) {
            case ALL_FROZEN -> members;
            case TWO_FROZEN, TWO_KILLED -> 2;
            default -> 1;
        };
        return 2 * (members - struck) > members;
    }

    /** How many of those that it strikes are started again when it heals. */
    int startedAgain() {
        return switch (this) {
            case MEMBER_KILLED, LEADER_KILLED -> 1;
            case TWO_KILLED -> 2;
            default -> 0;
        };
    }

    boolean strikesTheLeader() {
        return name().startsWith("LEADER_");
    }

    /** What befalls whom, for people. */
    String told(List<Integer> struck) {
        return switch (this) {
            case ALL_FROZEN -> sentence;
            case ONE_WAY_LINK, TWO_FROZEN, TWO_KILLED ->
                sentence + " (m" + (struck.get(0) + 1) + ", m" + (struck.get(1) + 1) + ")";
            default -> sentence + " (m" + (struck.get(0) + 1) + ")";
        };
    }

    /** Lets it befall. {@code struck} are members, the one that is struck first. */
    void befall(Ensemble ensemble, List<Integer> struck) {
        int one = struck.get(0);
        int other = struck.get(1);
        switch (this) {
            case LEADER_CUT_OFF -> {
                others(ensemble, one, them -> ensemble.network().cut(one, them));
                others(ensemble, one, them -> ensemble.network().cut(them, one));
            }
            case LEADER_UNHEARD ->
                others(ensemble, one, them -> ensemble.network().cut(one, them));
            case LEADER_DEAF -> others(ensemble, one, them -> ensemble.network().cut(them, one));
            case MEMBER_CUT_OFF -> {
                others(ensemble, one, them -> ensemble.network().cut(one, them));
                others(ensemble, one, them -> ensemble.network().cut(them, one));
                ensemble.network().cutFromHost(one);
            }
            case ONE_WAY_LINK -> ensemble.network().cut(other, one);
            case MEMBER_FROZEN, LEADER_FROZEN -> ensemble.process(one).freeze();
            case MEMBER_KILLED, LEADER_KILLED -> ensemble.process(one).kill();
            case TWO_FROZEN -> {
                ensemble.process(one).freeze();
                ensemble.process(other).freeze();
            }
            case TWO_KILLED -> {
                ensemble.process(one).kill();
                ensemble.process(other).kill();
            }
            case ALL_FROZEN ->
                IntStream.range(0, ensemble.size())
                        .forEach(member -> ensemble.process(member).freeze());
        }
    }

    /** Ends it. */
    void heal(Ensemble ensemble, List<Integer> struck) {
        switch (this) {
            case MEMBER_FROZEN, LEADER_FROZEN -> ensemble.process(struck.get(0)).thaw();
            case TWO_FROZEN, ALL_FROZEN ->
                IntStream.range(0, ensemble.size())
                        .forEach(member -> ensemble.process(member).thaw());
            case MEMBER_KILLED, LEADER_KILLED -> ensemble.startAgain(struck.get(0));
            case TWO_KILLED -> {
                ensemble.startAgain(struck.get(0));
                ensemble.startAgain(struck.get(1));
            }
            default -> ensemble.network().heal();
        }
    }

    private static void others(Ensemble ensemble, int one, IntConsumer does) {
        IntStream.range(0, ensemble.size()).filter(member -> member != one).forEach(does);
    }

    static List<Fault> all() {
        return Arrays.asList(values());
    }
}
