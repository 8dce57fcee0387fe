package dev.incumbent.peers;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Breadth first through what may happen to a settled group: each message that is under way arrives, in any order; where none is, time goes on to the next wake; and once, if
 * that is allowed, the network parts. What is found first is a shortest story of two leaders.
 */
final class StorySearch<S, M> {
    private record Letter<M>(MemberId from, MemberId to, M message) {}

    private record Scene<S, M>(
            Map<MemberId, S> states,
            Map<MemberId, Long> wakes,
            List<Letter<M>> letters,
            Set<MemberId> leaders,
            long now,
            boolean parted) {}

    private record Way<S, M>(Optional<Way<S, M>> from, String what, Scene<S, M> scene) {
        List<String> story() {
            Deque<String> story = new ArrayDeque<>();
            for (Way<S, M> way = this; way.from().isPresent(); way = way.from().get()) {
                story.addFirst(PeerLine.millis(way.scene().now()) + " ms: " + way.what());
            }
            return List.copyOf(story);
        }
    }

    /** The story, or nothing where no two lead at once as far as it was searched; and how many scenes were seen. */
    record Found(List<String> story, int scenes) {}

    private final PeerMachine.Kind<S, M> kind;
    private final List<MemberId> ring;
    private final Set<MemberId> side;
    private final Set<Scene<S, M>> seen = new HashSet<>();
    private final Deque<Way<S, M>> open = new ArrayDeque<>();

    /** @param side those that a partition cuts off from the others; none where the network does not part */
    StorySearch(PeerMachine.Kind<S, M> kind, List<MemberId> ring, Set<MemberId> side) {
        this.kind = kind;
        this.ring = ring;
        this.side = side;
    }

    Found twoLeaders(int most) {
        PeerRounds<S, M> settled = PeerRounds.settled(kind, ring);
        Map<MemberId, Long> wakes = new TreeMap<>();
        ring.forEach(member -> wakes.put(member, settled.wakeOf(member)));
        Scene<S, M> start = new Scene<>(
                new TreeMap<>(settled.states()),
                wakes,
                List.of(),
                new TreeSet<>(settled.leaders()),
                settled.now(),
                false);
        visit(new Way<>(Optional.empty(), "", start));
        while (!open.isEmpty() && seen.size() < most) {
            Way<S, M> way = open.remove();
            if (way.scene().leaders().size() > 1) {
                return new Found(way.story(), seen.size());
            }
            next(way);
        }
        return new Found(List.of(), seen.size());
    }

    private void visit(Way<S, M> way) {
        if (seen.add(way.scene())) {
            open.add(way);
        }
    }

    private void next(Way<S, M> way) {
        Scene<S, M> scene = way.scene();
        if (!scene.parted() && !side.isEmpty()) {
            List<Letter<M>> left = scene.letters().stream()
                    .filter(letter -> side.contains(letter.from()) == side.contains(letter.to()))
                    .toList();
            visit(told(
                    way,
                    new Scene<>(scene.states(), scene.wakes(), left, scene.leaders(), scene.now(), true),
                    side + " and the others hear each other no more"));
        }
        for (int i = 0; i < scene.letters().size(); i++) {
            Letter<M> letter = scene.letters().get(i);
            List<Letter<M>> left = new ArrayList<>(scene.letters());
            left.remove(i);
            visit(stepped(
                    way,
                    new Scene<>(scene.states(), scene.wakes(), left, scene.leaders(), scene.now(), scene.parted()),
                    letter.to(),
                    new PeerEvent.Received<>(letter.from(), letter.message())));
        }
        if (scene.letters().isEmpty()) {
            timePasses(way);
        }
    }

    private void timePasses(Way<S, M> way) {
        Scene<S, M> scene = way.scene();
        long then = Math.max(
                scene.now(),
                scene.wakes().values().stream().mapToLong(Long::longValue).min().orElseThrow());
        for (MemberId member : ring) {
            if (wakeOf(scene, member) <= then) {
                visit(stepped(
                        way,
                        new Scene<>(scene.states(), scene.wakes(), List.of(), scene.leaders(), then, scene.parted()),
                        member,
                        new PeerEvent.Woken<>()));
            }
        }
    }

    private static long wakeOf(Scene<?, ?> scene, MemberId member) {
        return scene.wakes().getOrDefault(member, Long.MAX_VALUE);
    }

    private Way<S, M> stepped(Way<S, M> way, Scene<S, M> before, MemberId member, PeerEvent<M> event) {
        S state = before.states().getOrDefault(member, kind.start());
        Step<S, PeerEffect<M>> step =
                kind.machine().apply(new PeerGroup(member, ring)).step(state, event, new Moment(before.now(), 0));
        Map<MemberId, S> states = new TreeMap<>(before.states());
        states.put(member, step.state());
        Map<MemberId, Long> wakes = new TreeMap<>(before.wakes());
        wakes.put(member, step.wakeAtNanos());
        List<Letter<M>> letters = new ArrayList<>(before.letters());
        Set<MemberId> leaders = new TreeSet<>(before.leaders());
        List<String> done = new ArrayList<>();
        for (PeerEffect<M> effect : step.effects()) {
            if (effect instanceof PeerEffect.Send<M> send) {
                boolean lost = before.parted() && side.contains(member) != side.contains(send.to());
                if (!lost) {
                    letters.add(new Letter<>(member, send.to(), send.message()));
                }
                done.add(PeerLine.of(send.message()) + " to " + send.to() + (lost ? ", lost" : ""));
            } else {
                done.add(PeerLine.of(effect));
                if (effect instanceof PeerEffect.BeginLeading<M>) {
                    leaders.add(member);
                } else if (effect instanceof PeerEffect.StopLeading<M>) {
                    leaders.remove(member);
                }
            }
        }
        String what = event instanceof PeerEvent.Received<M> received
                ? member + " hears " + PeerLine.of(received.message()) + " from " + received.from()
                : member + " wakes";
        return told(
                way,
                new Scene<>(states, wakes, List.copyOf(letters), leaders, before.now(), before.parted()),
                what + (done.isEmpty() ? "" : ": " + String.join("; ", done)));
    }

    private Way<S, M> told(Way<S, M> way, Scene<S, M> scene, String what) {
        return new Way<>(Optional.of(way), what, scene);
    }
}
