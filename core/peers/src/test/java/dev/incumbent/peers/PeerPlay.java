package dev.incumbent.peers;

import dev.incumbent.peers.PlayedProtocol.Letter;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plays a transcript of one group: its given lines are done, and what follows from them is written below each. {@code transcripts/README.md} is the grammar. */
final class PeerPlay<S, E, F> {
    private static final long MILLI = 1_000_000;
    private static final int MOST_LETTERS = 200;

    private final PlayedProtocol<S, E, F> protocol;
    private final StringBuilder out = new StringBuilder();
    private final Map<MemberId, S> states = new TreeMap<>();
    private final Map<MemberId, Long> dice = new TreeMap<>();
    private final List<Letter> letters = new ArrayList<>();
    private List<MemberId> ring = List.of();
    private long now;

    private PeerPlay(PlayedProtocol<S, E, F> protocol) {
        this.protocol = protocol;
    }

    /** The transcript anew: its given lines, and what the machines answer today. */
    static <S, E, F> String played(PlayedProtocol<S, E, F> protocol, String transcript) {
        PeerPlay<S, E, F> play = new PeerPlay<>(protocol);
        transcript.lines().filter(line -> !line.startsWith("    ")).forEach(play::line);
        return play.out.toString();
    }

    private void line(String line) {
        out.append(line).append('\n');
        String[] words = line.split(" ", -1);
        try {
            if (line.isEmpty() || line.startsWith("#")) {
                return;
            } else if (words[0].equals("members")) {
                ring = Arrays.stream(words).skip(1).map(MemberId::new).toList();
                ring.forEach(member -> states.put(member, protocol.start()));
            } else if (words[0].equals("dice")) {
                dice.put(new MemberId(words[1]), Long.parseLong(words[2]) * MILLI);
            } else {
                long at = Long.parseLong(words[0]) * MILLI;
                if (at < now) {
                    throw new IllegalArgumentException("time goes back");
                }
                now = at;
                act(words[1], Arrays.copyOfRange(words, 2, words.length));
            }
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("at '" + line + "': " + e.getMessage(), e);
        }
    }

    private void act(String who, String[] words) {
        if (who.equals("everything") && words[words.length - 1].equals("untold")) {
            untold(() -> everything(List.of()));
        } else if (who.equals("everything")) {
            everything(Arrays.stream(words).skip(2).map(MemberId::new).toList());
        } else if (who.equals("all")) {
            untold(() -> {
                protocol.beginnings().forEach(event -> ring.forEach(member -> step(member, event)));
                everything(List.of());
            });
        } else {
            byMember(new MemberId(who), words);
        }
    }

    /** Where they stand then is shown, and not how they came there. */
    private void untold(Runnable what) {
        int length = out.length();
        what.run();
        out.setLength(length);
        ring.forEach(who -> show(who, "= " + protocol.line(stateOf(who))));
    }

    private void byMember(MemberId who, String[] words) {
        switch (words[0]) {
            case "hears" -> {
                Letter letter = oldest(new MemberId(words[1]), who);
                letters.remove(letter);
                deliver(letter);
                if (words.length > 2) {
                    letters.add(letter);
                }
            }
            case "misses" -> letters.remove(oldest(new MemberId(words[1]), who));
            case "crashes" -> states.put(who, protocol.start());
            default -> {
                if (!protocol.isByHand(who, words)) {
                    step(who, protocol.event(who, words));
                }
            }
        }
    }

    private Letter oldest(MemberId from, MemberId to) {
        return letters.stream()
                .filter(letter -> letter.from().equals(from) && letter.to().equals(to))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing is under way"));
    }

    /** In the order in which it was sent, until nothing is under way; what is from or to the excepted members is lost. */
    private void everything(List<MemberId> except) {
        for (int i = 0; !letters.isEmpty(); i++) {
            if (i == MOST_LETTERS) {
                throw new IllegalStateException("they never end");
            }
            Letter letter = letters.remove(0);
            if (!except.contains(letter.from()) && !except.contains(letter.to())) {
                deliver(letter);
            }
        }
    }

    private void deliver(Letter letter) {
        show(letter.to(), "< " + letter.from() + ": " + PeerLine.of(letter.message()));
        step(letter.to(), protocol.received(letter.from(), letter.message()));
    }

    private void step(MemberId who, E event) {
        Step<S, F> step = protocol.step(
                new PeerGroup(who, ring), stateOf(who), event, new Moment(now, 0), dice.getOrDefault(who, 0L));
        states.put(who, step.state());
        for (F effect : step.effects()) {
            protocol.performed(who, effect);
            Optional<Letter> letter = protocol.letter(who, effect);
            letter.ifPresent(letters::add);
            show(
                    who,
                    letter.map(sent -> "> " + sent.to() + ": " + PeerLine.of(sent.message()))
                            .orElseGet(() -> "> " + PeerLine.of(effect)));
        }
        show(who, "= " + protocol.line(step.state()) + ", wakes at " + PeerLine.millis(step.wakeAtNanos()));
    }

    private S stateOf(MemberId who) {
        return states.getOrDefault(who, protocol.start());
    }

    private void show(MemberId who, String what) {
        out.append("    ").append(who).append(' ').append(what).append('\n');
    }
}
