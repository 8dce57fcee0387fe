package dev.incumbent.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cordons of one election, in order of whom they mean, at most one for each.
 *
 * <p>Versions that know no cordons carry them through as one field that they do not know, which has at most 16,384 characters with all others of its
 * kind. So there are at most 32, and together they are written in at most 12,288 characters.
 */
public record Cordons(List<Cordon> all) {
    /** How many a record holds. */
    public static final int MOST = 32;

    /** No cordon. */
    public static final Cordons NONE = new Cordons(List.of());

    private static final int LONGEST = 12_288;
    /** The names of the fields, what stands between them, and the time. */
    private static final int FRAME = 96;

    public Cordons {
        all = all.stream().sorted(Comparator.comparing(Cordon::whom)).toList();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).whom().equals(all.get(i - 1).whom())) {
                throw new IllegalArgumentException(all.get(i).whom() + " is cordoned twice");
            }
        }
        refusal(all).ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
    }

    /** Those cordons. */
    public static Cordons of(List<Cordon> all) {
        return all.isEmpty() ? NONE : new Cordons(all);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** The cordon of exactly that host, name or id. */
    public Optional<Cordon> of(String whom) {
        return all.stream().filter(one -> one.whom().equals(whom)).findFirst();
    }

    /** Is that candidate cordoned? */
    public boolean cover(Candidate candidate) {
        return !all.isEmpty() && all.stream().anyMatch(one -> one.covers(candidate));
    }

    /** Why these and that one are too many for a record, if they are. */
    public Optional<String> refusal(Cordon more) {
        return refusal(Stream.concat(all.stream(), Stream.of(more)).toList());
    }

    /** These and that one, which means nobody that one of these means. */
    public Cordons with(Cordon more) {
        List<Cordon> longer = new ArrayList<>(all);
        longer.add(more);
        return new Cordons(longer);
    }

    /** These without the cordon of exactly that host, name or id. */
    public Cordons without(String whom) {
        return of(all.stream().filter(one -> !one.whom().equals(whom)).toList());
    }

    private static Optional<String> refusal(List<Cordon> cordons) {
        if (cordons.size() > MOST) {
            return Optional.of("a record has at most " + MOST + " cordons, with this one it has " + cordons.size());
        }
        int length = cordons.stream().mapToInt(Cordons::written).sum();
        return length <= LONGEST
                ? Optional.empty()
                : Optional.of("the cordons of a record have at most " + LONGEST + " characters together, these have "
                        + length);
    }

    /** At most so many characters of JSON. */
    private static int written(Cordon one) {
        return FRAME
                + Words.written(one.whom())
                + Words.written(one.by())
                + Words.written(one.why())
                + Unknown.written(one.unknown());
    }
}
