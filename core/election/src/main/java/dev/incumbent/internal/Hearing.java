package dev.incumbent.internal;

import dev.incumbent.beats.BeatDriver;
import dev.incumbent.beats.BeatEffect;
import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Extras;
import dev.incumbent.protocol.Event;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What this process tells others of its terms, and what it hears of theirs, so that a leader that is gone is preempted before its lease ends. A candidate's address for that is its attribute {@value #ADDRESS}. Owned
 * by the loop's thread.
 */
final class Hearing {
    /** The attribute of a candidate that tells where it is heard. */
    static final String ADDRESS = "beats";

    private final BeatDriver beats;
    private final Map<ElectionName, Long> led = new TreeMap<>();
    private final Map<ElectionName, Candidate> followed = new TreeMap<>();
    private boolean isLedNew;
    private boolean isFollowedNew;

    private Hearing(BeatDriver beats) {
        this.beats = beats;
    }

    /** {@code posts} hears of leaders, on any thread; a person on the loop's. */
    static Hearing over(
            BeatTransport transport, CandidateId me, BiConsumer<ElectionName, Event> posts, Strand loop, Ports ports) {
        return new Hearing(BeatDriver.start(me, transport.rhythm(), transport, new Posting(posts, loop, ports)));
    }

    /** That candidate, with the address at which it is heard. */
    static Candidate heardAt(BeatTransport transport, Candidate candidate) {
        Map<String, String> attributes = new TreeMap<>(candidate.extras().attributes());
        attributes.put(ADDRESS, transport.address());
        return new Candidate(
                candidate.id(),
                candidate.name(),
                candidate.address(),
                new Extras(attributes, candidate.extras().unknown()));
    }

    private static Optional<String> address(Candidate candidate) {
        return Optional.ofNullable(candidate.extras().attributes().get(ADDRESS));
    }

    /** This process begins to stand there: who leads may have been heard long ago. */
    void begins(ElectionName election) {
        beats.stands(election);
    }

    /** An election has taken a step. Its last one, in which it leaves, leaves nothing to tell. */
    void stepped(ElectionDriver driver) {
        isLedNew |= isNew(led, driver.election(), driver.announced());
        isFollowedNew |= isNew(
                followed,
                driver.election(),
                driver.followed().filter(l -> address(l).isPresent()));
    }

    private static <T> boolean isNew(Map<ElectionName, T> all, ElectionName election, Optional<T> now) {
        Optional<T> before = Optional.ofNullable(all.get(election));
        if (before.equals(now)) {
            return false;
        }
        now.ifPresentOrElse(it -> all.put(election, it), () -> all.remove(election));
        return true;
    }

    /** Tells what has changed in this turn of the loop. */
    void flush() {
        if (isLedNew) {
            isLedNew = false;
            beats.leads(led);
        }
        if (isFollowedNew) {
            isFollowedNew = false;
            Map<CandidateId, String> leaders = new TreeMap<>();
            followed.values()
                    .forEach(leader -> leaders.put(leader.id(), address(leader).orElseThrow()));
            beats.follows(leaders);
        }
    }

    void close() {
        beats.close();
    }

    /** Hands what is heard to the elections, and to a person once; on the transport's thread. */
    private static final class Posting implements BeatDriver.Listener {
        private final BiConsumer<ElectionName, Event> posts;
        private final Strand loop;
        private final Ports ports;
        private final Set<CandidateId> told = Collections.newSetFromMap(new Remembered());

        Posting(BiConsumer<ElectionName, Event> posts, Strand loop, Ports ports) {
            this.posts = posts;
            this.loop = loop;
            this.ports = ports;
        }

        @Override
        public void heard(CandidateId leader, Map<ElectionName, Long> terms) {
            terms.forEach((election, term) -> posts.accept(election, new Event.LeaderHeard(leader, term)));
            if (told.add(leader)) {
                loop.execute(() -> ports.teller().heard(leader));
            }
        }

        @Override
        public void suspected(CandidateId leader, Map<ElectionName, Long> terms, BeatEffect.Reason why) {
            terms.forEach((election, term) -> posts.accept(election, new Event.LeaderSuspected(leader, term)));
            told.remove(leader);
            loop.execute(() -> ports.teller().suspected(leader, why));
        }

        @Override
        public void mistaken(CandidateId leader, int patience) {
            loop.execute(() -> ports.teller().mistaken(leader, patience));
        }

        @Override
        public void failed(BeatEvent event, Throwable why) {
            ports.trace().failed("the beats' " + event, why);
        }
    }

    /** So many leaders that a person was told of: those of long ago are forgotten. */
    private static final class Remembered extends LinkedHashMap<CandidateId, Boolean> {
        private static final long serialVersionUID = 1;
        private static final int MOST = 1_000;

        @Override
        protected boolean removeEldestEntry(Map.Entry<CandidateId, Boolean> eldest) {
            return size() > MOST;
        }
    }
}
