package dev.incumbent.agent.alarms;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Moment;
import dev.incumbent.telling.conflict.Conflict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides which conflicts are alarms. A conflict that is certain is raised at once; another one once the same two values were seen for a whole lease. An alarm is raised once,
 * and is over when a later look does not see it; a look that could not see whether it is there changes nothing. One that comes back soon is the same alarm.
 *
 * <p>Listeners are called after {@link #list} has the news. One that throws is logged, and harms nothing else.
 *
 * <p>Owned by one thread; {@link #list} is for any. Time is an argument.
 */
public final class AlarmRegister {
    /** Who was told of an alarm, or of its end, is not told of it again before; and one that comes back within it is the same alarm. */
    static final Duration REPEATS_WITHIN = Duration.ofMinutes(10);
    /** Alarms that are over, and remembered. */
    static final int MOST_OVER = 100;

    private final AlarmTelling telling = new AlarmTelling();
    private final int most;
    private final Duration lasting;
    private final List<AlarmListener> seldom;
    private final AlarmListener always;
    private final Map<Conflict.Key, Told> open = new TreeMap<>();
    /** The one that was over first comes first. */
    private final Map<Conflict.Key, Told> over = new LinkedHashMap<>();

    private final Map<Conflict.Key, Suspect> suspects = new TreeMap<>();
    private final Set<Conflict.Key> unlisted = new TreeSet<>();
    private final List<Runnable> news = new ArrayList<>();
    private long numbers;
    private volatile AlarmList list = AlarmList.EMPTY;

    /** What is no alarm yet, and since when its two values are the same. */
    private record Suspect(Conflict conflict, long sinceNanos) {}

    /** An alarm, when those that are told seldom were told of it last, whether they know that it is raised, and when it was over, if it is. */
    private record Told(ConflictAlarm alarm, long atNanos, boolean isTold, long overNanos) {}

    /**
     * No alarm yet.
     *
     * @param most are open at once; what comes above is counted
     * @param lasting for how long a conflict that is not certain lasts until it is an alarm: a lease
     * @param seldom are told that an alarm is raised and over, but not each time where it comes and goes
     * @param always is told each time
     */
    public AlarmRegister(int most, Duration lasting, List<AlarmListener> seldom, AlarmListener always) {
        this.most = most;
        this.lasting = lasting;
        this.seldom = List.copyOf(seldom);
        this.always = always;
    }

    /** The alarms now. Any thread. */
    public AlarmList list() {
        return list;
    }

    /** Those of one election that are open. Any thread. */
    public List<ConflictAlarm> openOf(ElectionName election) {
        return list.open().stream()
                .filter(alarm -> alarm.conflict().election().equals(election))
                .toList();
    }

    /** The elections that have an alarm, or may have one soon: who looks goes on to look at them. */
    public NavigableSet<ElectionName> elections() {
        NavigableSet<ElectionName> elections = new TreeSet<>();
        open.keySet().forEach(key -> elections.add(key.election()));
        suspects.keySet().forEach(key -> elections.add(key.election()));
        unlisted.forEach(key -> elections.add(key.election()));
        return elections;
    }

    /**
     * One election was looked at.
     *
     * @param known about what the look could see something, as {@link Conflict#about} names it
     * @param seen all conflicts that it saw
     */
    public void looked(ElectionName election, Set<String> known, List<Conflict> seen, Moment now) {
        Map<Conflict.Key, Conflict> present = new TreeMap<>();
        seen.forEach(conflict -> present.put(conflict.key(), conflict));
        present.values().forEach(conflict -> saw(conflict, now));
        suspects.keySet().removeIf(key -> isGone(key, election, known, present));
        unlisted.removeIf(key -> isGone(key, election, known, present));
        List<Conflict.Key> gone = open.keySet().stream()
                .filter(key -> isGone(key, election, known, present))
                .toList();
        gone.forEach(key -> end(key, now));
        list = new AlarmList(open.values().stream().map(Told::alarm).toList(), newestFirst(), unlisted.size());
        List<Runnable> untold = List.copyOf(news);
        news.clear();
        untold.forEach(Runnable::run);
    }

    private static boolean isGone(
            Conflict.Key key, ElectionName election, Set<String> known, Map<Conflict.Key, Conflict> present) {
        return key.election().equals(election) && known.contains(key.about()) && !present.containsKey(key);
    }

    private void saw(Conflict conflict, Moment now) {
        Optional<Told> before = Optional.ofNullable(open.get(conflict.key()));
        if (before.isPresent()) {
            ConflictAlarm was = before.get().alarm();
            keep(new ConflictAlarm(was.number(), conflict, was.since(), was.until(), was.times()), before, now);
        } else if (lasts(conflict, now)) {
            raise(conflict, now);
        }
    }

    /** Tells of it, unless that was done a short while ago. */
    private void keep(ConflictAlarm alarm, Optional<Told> before, Moment now) {
        boolean isKnown =
                before.filter(told -> told.alarm().isOpen() && told.isTold()).isPresent();
        boolean isSoon = before.filter(told -> now.nanos() - told.atNanos() < REPEATS_WITHIN.toNanos())
                .isPresent();
        boolean tells = !isKnown && !isSoon;
        long atNanos = tells ? now.nanos() : before.map(Told::atNanos).orElse(now.nanos());
        open.put(alarm.conflict().key(), new Told(alarm, atNanos, isKnown || tells, 0));
        if (tells) {
            tellSeldom(alarm);
        }
    }

    private void tellSeldom(ConflictAlarm alarm) {
        seldom.forEach(listener -> news.add(() -> telling.tell(listener, alarm)));
    }

    private void tellAlways(ConflictAlarm alarm) {
        news.add(() -> telling.tell(always, alarm));
    }

    private boolean lasts(Conflict conflict, Moment now) {
        Suspect suspect = suspects.get(conflict.key());
        if (conflict.isCertain()) {
            return true;
        }
        if (suspect == null || !suspect.conflict().evidence().equals(conflict.evidence())) {
            suspects.put(conflict.key(), new Suspect(conflict, now.nanos()));
            return false;
        }
        return now.nanos() - suspect.sinceNanos() >= lasting.toNanos();
    }

    private void raise(Conflict conflict, Moment now) {
        Conflict.Key key = conflict.key();
        if (open.size() >= most) {
            unlisted.add(key);
            return;
        }
        unlisted.remove(key);
        suspects.remove(key);
        Optional<Told> past = Optional.ofNullable(over.remove(key));
        int times = past.filter(told -> now.nanos() - told.overNanos() < REPEATS_WITHIN.toNanos())
                .map(told -> told.alarm().times() + 1)
                .orElse(1);
        ConflictAlarm raised = new ConflictAlarm(++numbers, conflict, now.wall(), Optional.empty(), times);
        keep(raised, past, now);
        tellAlways(raised);
    }

    private void end(Conflict.Key key, Moment now) {
        Optional.ofNullable(open.remove(key)).ifPresent(told -> {
            ConflictAlarm was = told.alarm();
            ConflictAlarm ended =
                    new ConflictAlarm(was.number(), was.conflict(), was.since(), Optional.of(now.wall()), was.times());
            long atNanos = told.isTold() ? now.nanos() : told.atNanos();
            over.put(key, new Told(ended, atNanos, told.isTold(), now.nanos()));
            if (over.size() > MOST_OVER) {
                over.remove(over.keySet().iterator().next());
            }
            if (told.isTold()) {
                tellSeldom(ended);
            }
            tellAlways(ended);
        });
    }

    private List<ConflictAlarm> newestFirst() {
        List<ConflictAlarm> newest = new ArrayList<>();
        over.values().forEach(told -> newest.add(0, told.alarm()));
        return newest;
    }
}
