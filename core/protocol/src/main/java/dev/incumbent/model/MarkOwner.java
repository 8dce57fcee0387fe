package dev.incumbent.model;

/**
 * Whose a mark is; it decides what may pass it.
 *
 * <p>Each kind has one text form, which the sinks store and compare: {@code candidate:ID}, {@code freeze:WHO},
 * {@code thaw:SAW:WHO}, {@code operator:WHO}.
 */
public sealed interface MarkOwner {
    /** A leader, by its incarnation. */
    record OfCandidate(CandidateId id) implements MarkOwner {
        @Override
        public String toString() {
            return text();
        }
    }

    /** A freeze: only a freeze, or a thaw that names this very mark, passes it. */
    record OfFreeze(String who) implements MarkOwner {
        public OfFreeze {
            Words.checked("who freezes", who);
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /**
     * A thaw, which names the mark that it read at this sink by its number: 0 where there was none. Marks only grow, so
     * the number names one mark.
     */
    record OfThaw(String who, long saw) implements MarkOwner {
        public OfThaw {
            Words.checked("who thaws", who);
            if (saw < 0) {
                throw new IllegalArgumentException("a thaw saw a mark of at least 0, this one saw " + saw);
            }
        }

        @Override
        public String toString() {
            return text();
        }
    }

    /** Someone who raised a mark by hand. */
    record OfOperator(String who) implements MarkOwner {
        public OfOperator {
            Words.checked("who raises", who);
        }

        @Override
        public String toString() {
            return text();
        }
    }

    static MarkOwner ofCandidate(CandidateId id) {
        return new OfCandidate(id);
    }

    static MarkOwner ofFreeze(String who) {
        return new OfFreeze(who);
    }

    static MarkOwner ofThaw(String who, long saw) {
        return new OfThaw(who, saw);
    }

    static MarkOwner ofOperator(String who) {
        return new OfOperator(who);
    }

    /** The one text form. */
    default String text() {
        if (this instanceof OfCandidate candidate) {
            return "candidate:" + candidate.id();
        }
        if (this instanceof OfFreeze freeze) {
            return "freeze:" + freeze.who();
        }
        if (this instanceof OfThaw thaw) {
            return "thaw:" + thaw.saw() + ":" + thaw.who();
        }
        return "operator:" + ((OfOperator) this).who();
    }

    /** Reads {@link #text()} back; what is none of the four kinds is refused by name. */
    static MarkOwner parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        String rest = text.substring(colon + 1);
        return switch (kind) {
            case "candidate" -> ofCandidate(new CandidateId(rest));
            case "freeze" -> ofFreeze(rest);
            case "operator" -> ofOperator(rest);
            case "thaw" -> parseThaw(text, rest);
            default -> throw new IllegalArgumentException("'" + text + "' is no owner of a mark");
        };
    }

    private static MarkOwner parseThaw(String text, String rest) {
        int colon = rest.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("'" + text + "' is no owner of a mark");
        }
        return ofThaw(rest.substring(colon + 1), Long.parseLong(rest.substring(0, colon)));
    }
}
