package dev.incumbent.peers;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.util.List;
import java.util.Optional;

/**
 * A protocol as a play needs it. One instance for a play.
 *
 * @param <S> its states
 * @param <E> its events
 * @param <F> its effects
 */
interface PlayedProtocol<S, E, F> {
    S start();

    Step<S, F> step(PeerGroup group, S state, E event, Moment now, long dice);

    E received(MemberId from, Object message);

    /** What a line says beside messages, such as {@code starts}. */
    E event(MemberId who, String[] words);

    /** The message that an effect sends; empty for an effect of another kind. */
    Optional<Letter> letter(MemberId from, F effect);

    String line(S state);

    /** An effect was performed. */
    default void performed(MemberId who, F effect) {}

    /** What a line says that is no event of the machine; false where it is one. */
    default boolean isByHand(MemberId who, String[] words) {
        return false;
    }

    /** The events by which every member begins, where the play does not show them. */
    List<E> beginnings();

    /** A message under way. */
    record Letter(MemberId from, MemberId to, Object message) {}
}
