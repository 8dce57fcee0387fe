package dev.incumbent.agent.elections;

import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** One election that somebody follows. Its owners' terms are looked at after each of their steps, and when the library tells of jeopardy. All is called on the strand. */
final class Followed {
    private final ElectionName election;
    private final Watching watching;
    private final Supplier<Optional<HeldElection>> here;
    private final Map<Follower, LeaderNews> followers = new LinkedHashMap<>();
    private Optional<Hold> told;

    /**
     * Nobody follows it yet.
     *
     * @param here the owners of this host, if some stand in it
     */
    Followed(ElectionName election, Watching watching, Supplier<Optional<HeldElection>> here) {
        this.election = election;
        this.watching = watching;
        this.here = here;
        this.told = hold();
    }

    private Optional<Hold> hold() {
        return here.get().flatMap(HeldElection::hold);
    }

    Iterable<Follower> followers() {
        return List.copyOf(followers.keySet());
    }

    int count() {
        return followers.size();
    }

    /** It is told at once how things stand on this host, and who leads as soon as that is known. */
    void add(Follower follower, OptionalLong seen, List<ConflictAlarm> open) {
        look();
        changes(Optional.empty(), told).forEach(follower::hear);
        open.forEach(alarm -> follower.hear(new News.AlarmChanged(alarm)));
        LeaderNews leaders = new LeaderNews(watching, election, seen, follower::hear);
        followers.put(follower, leaders);
        watching.hear(election, leaders);
    }

    void remove(Follower follower) {
        Optional.ofNullable(followers.remove(follower)).ifPresent(leaders -> {
            leaders.end();
            watching.unhear(election, leaders);
        });
    }

    /** Tells what changed on this host. */
    void look() {
        Optional<Hold> now = hold();
        List<News> news = changes(told, now);
        told = now;
        news.forEach(this::tell);
    }

    /** Tells all of them. */
    void tell(News news) {
        followers.keySet().forEach(follower -> follower.hear(news));
    }

    private List<News> changes(Optional<Hold> before, Optional<Hold> now) {
        List<News> news = new ArrayList<>();
        Optional<Hold> kept = before.filter(hold -> isOf(now, hold.token()));
        before.filter(hold -> kept.isEmpty()).ifPresent(hold -> news.add(lost(hold.token())));
        now.filter(hold -> kept.isEmpty()).ifPresent(hold -> news.add(new News.Acquired(hold.token())));
        boolean wasInJeopardy = kept.map(Hold::inJeopardy).orElse(false);
        now.filter(hold -> hold.inJeopardy() != wasInJeopardy)
                .ifPresent(hold ->
                        news.add(hold.inJeopardy() ? new News.InJeopardy(hold.token()) : new News.Safe(hold.token())));
        return news;
    }

    private static boolean isOf(Optional<Hold> hold, long token) {
        return hold.filter(one -> one.token() == token).isPresent();
    }

    private News lost(long token) {
        return new News.Lost(token, here.get().flatMap(one -> one.endOf(token)));
    }
}
