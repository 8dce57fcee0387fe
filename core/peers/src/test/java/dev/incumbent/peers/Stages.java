package dev.incumbent.peers;

import dev.incumbent.peers.PlayedProtocol.Letter;
import dev.incumbent.peers.raft.RaftTiming;
import java.time.Duration;
import java.util.Optional;

/** What plays share: the durations, and what bully and ring are told. */
final class Stages {
    static final PeerTiming PEER_TIMING = new PeerTiming(millis(300), millis(1_000), millis(200), millis(1_100));

    static final RaftTiming RAFT_TIMING =
            new RaftTiming(millis(300), millis(1_000), millis(1_000), millis(1_000), millis(1_600), millis(200), 0);

    private Stages() {}

    static <M> PeerEvent<M> event(String word) {
        return switch (word) {
            case "starts" -> new PeerEvent.Started<>();
            case "wakes" -> new PeerEvent.Woken<>();
            default -> throw new IllegalArgumentException("unknown: " + word);
        };
    }

    static <M> Optional<Letter> letter(MemberId from, PeerEffect<M> effect) {
        return effect instanceof PeerEffect.Send<M> send
                ? Optional.of(new Letter(from, send.to(), send.message()))
                : Optional.empty();
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }
}
