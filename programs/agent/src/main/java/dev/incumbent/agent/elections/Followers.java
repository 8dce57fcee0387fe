package dev.incumbent.agent.elections;

import dev.incumbent.agent.alarms.AlarmRegister;
import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.Timeline;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** All who follow elections. An election is observed for as long as somebody follows it. All is called on the strand. */
final class Followers {
    private final Watching watching;
    private final Function<ElectionName, Optional<HeldElection>> here;
    private final int most;
    private final AlarmRegister alarms;
    private final Map<ElectionName, Followed> all = new TreeMap<>();
    private Timeline.Alarm sign = () -> {};
    private boolean isOver;

    /**
     * Nobody follows yet.
     *
     * @param here the owners of this host in an election, if some stand in it
     * @param most follow at once
     * @param alarms those that are open are told at the beginning
     */
    Followers(Watching watching, Function<ElectionName, Optional<HeldElection>> here, int most, AlarmRegister alarms) {
        this.watching = watching;
        this.alarms = alarms;
        this.here = here;
        this.most = most;
    }

    /** Begins to tell, or refuses. */
    void add(ElectionName election, OptionalLong seen, Follower follower) {
        if (isOver) {
            follower.refuse(Why.DRAINING);
        } else if (count() >= most) {
            follower.refuse(Why.FULL);
        } else if (follower.begin()) {
            all.computeIfAbsent(election, name -> new Followed(name, watching, () -> here.apply(name)))
                    .add(follower, seen, alarms.openOf(election));
            if (count() == 1) {
                signLater();
            }
        }
    }

    private int count() {
        return all.values().stream().mapToInt(Followed::count).sum();
    }

    /** Tells no more. */
    void remove(ElectionName election, Follower follower) {
        Optional.ofNullable(all.get(election)).ifPresent(followed -> {
            followed.remove(follower);
            if (followed.count() == 0) {
                all.remove(election);
            }
        });
        if (all.isEmpty()) {
            sign.cancel();
        }
    }

    /** The owners of that election have taken a step, or the library has told of jeopardy. */
    void look(ElectionName election) {
        Optional.ofNullable(all.get(election)).ifPresent(Followed::look);
    }

    /** An alarm was raised, or is over. */
    void tell(ConflictAlarm alarm) {
        Optional.ofNullable(all.get(alarm.conflict().election()))
                .ifPresent(followed -> followed.tell(new News.AlarmChanged(alarm)));
    }

    private void signLater() {
        Strand strand = watching.strand();
        sign = strand.at(strand.nanos() + Bounds.BETWEEN_SIGNS.toNanos(), () -> {
            all.values().forEach(followed -> followed.followers().forEach(Follower::sign));
            if (!all.isEmpty()) {
                signLater();
            }
        });
    }

    /** Ends all, and lets nobody follow any more. */
    void end() {
        isOver = true;
        List.copyOf(all.entrySet())
                .forEach(one -> one.getValue().followers().forEach(follower -> {
                    follower.end();
                    remove(one.getKey(), follower);
                }));
    }
}
