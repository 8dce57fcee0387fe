package dev.incumbent.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The holders of one election, in order of their terms. At most 16, which together are written in at most 16,384 characters. */
public record Holders(List<Holder> all) {
    /** How many a record lists. */
    public static final int MOST = 16;

    /** No holder. */
    public static final Holders NONE = new Holders(List.of());

    private static final int LONGEST = 16_384;
    /** The names of the fields, what stands between them, and the term. */
    private static final int FRAME = 96;

    public Holders {
        all = all.stream().sorted(Comparator.comparing(Holder::term)).toList();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).term() == all.get(i - 1).term()) {
                throw new IllegalArgumentException("term " + all.get(i).term() + " has two holders");
            }
        }
        refusal(all).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Those holders. */
    public static Holders of(List<Holder> all) {
        return all.isEmpty() ? NONE : new Holders(all);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The holder of that term. */
    public Optional<Holder> of(long term) {
        return all.stream().filter(one -> one.term() == term).findFirst();
    }

    /** Why these and that one are too many for a record, if they are. */
    public Optional<String> refusal(Holder more) {
        return refusal(Stream.concat(all.stream(), Stream.of(more)).toList());
    }

    /** These and that one, whose term is nobody's here. */
    public Holders with(Holder more) {
        List<Holder> longer = new ArrayList<>(all);
        longer.add(more);
        return new Holders(longer);
    }

    /** These without the holder of that term. */
    public Holders without(long term) {
        return of(all.stream().filter(one -> one.term() != term).toList());
    }

    private static Optional<String> refusal(List<Holder> holders) {
        if (holders.size() > MOST) {
            return Optional.of("a record lists at most " + MOST + " holders, with this one it lists " + holders.size());
        }
        int length = holders.stream().mapToInt(Holders::written).sum();
        return length <= LONGEST
                ? Optional.empty()
                : Optional.of("the holders of a record have at most " + LONGEST + " characters together, these have "
                        + length);
    }

    /** At most so many characters of JSON. */
    private static int written(Holder one) {
        return FRAME + Words.written(one.candidate().value()) + one.on().written() + Unknown.written(one.unknown());
    }
}
