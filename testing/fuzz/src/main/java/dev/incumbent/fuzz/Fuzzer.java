package dev.incumbent.fuzz;

import dev.incumbent.fuzz.MalformedRequest.End;
import dev.incumbent.fuzz.MalformedRequest.Piece;
import java.util.ArrayList;
import java.util.List;

/** Malformed requests that follow from a seed. Each request follows from its number alone, so that one of them can be made again without the others. Thread-safe. */
public final class Fuzzer {
    private static final int MOST_SINGLE_BYTES = 400;
    private static final int LONGEST_PAUSE_MILLIS = 5;

    private final long seed;
    private final List<Example> examples;
    private final List<Example> guarded;
    private final List<Sort> sorts;

    /** Of all sorts that malform, made of those examples. */
    public Fuzzer(long seed, List<Example> examples) {
        this(seed, examples, Sort.malformed());
    }

    /** Of those sorts. */
    public Fuzzer(long seed, List<Example> examples, List<Sort> sorts) {
        this.seed = seed;
        this.examples = List.copyOf(examples);
        this.guarded = examples.stream().filter(Example::showsToken).toList();
        this.sorts = List.copyOf(sorts);
    }

    /** The seed. */
    public long seed() {
        return seed;
    }

    /** The request of that number, from 0 on. As many in a row as there are sorts have each sort once. */
    public MalformedRequest request(int number) {
        Dice dice = new Dice(seed, number);
        Sort sort = sorts.get(number % sorts.size());
        String bytes = sort.bytes(dice, example(dice, sort));
        return new MalformedRequest(seed, number, sort, pieces(dice, bytes), end(dice));
    }

    /** Only a token that would be taken can be nearly right, or be shown twice. */
    private Example example(Dice dice, Sort sort) {
        List<Example> fitting = sort.showsNoToken() && !guarded.isEmpty() ? guarded : examples;
        return dice.pick(fitting);
    }

    private static End end(Dice dice) {
        int drawn = dice.below(100);
        if (drawn < 70) {
            return End.READS;
        }
        return drawn < 85 ? End.HALF_CLOSES : drawn < 98 ? End.RESETS : End.STAYS;
    }

    /** Whole, at the ends of lines, in few pieces, or byte by byte. */
    private static List<Piece> pieces(Dice dice, String bytes) {
        return switch (dice.below(5)) {
            case 0 -> atLines(dice, bytes);
            case 1 -> anywhere(dice, bytes, dice.between(1, 8));
            case 2 -> anywhere(dice, bytes, Math.min(bytes.length(), MOST_SINGLE_BYTES));
            default -> List.of(new Piece(bytes, 0));
        };
    }

    private static List<Piece> anywhere(Dice dice, String bytes, int count) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int left = count; left > 1 && from < bytes.length(); left--) {
            int most = Math.max(1, 2 * (bytes.length() - from) / left);
            int to = Math.min(bytes.length(), from + dice.between(1, most));
            pieces.add(new Piece(bytes.substring(from, to), pause(dice, count)));
            from = to;
        }
        pieces.add(new Piece(bytes.substring(from), pause(dice, count)));
        return pieces;
    }

    /** Between CR and LF, and behind it. */
    private static List<Piece> atLines(Dice dice, String bytes) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int at = bytes.indexOf('\r'); at >= 0 && pieces.size() < 40; at = bytes.indexOf('\r', from)) {
            int to = Math.min(bytes.length(), at + dice.between(1, 2));
            pieces.add(new Piece(bytes.substring(from, to), pause(dice, 20)));
            from = to;
        }
        pieces.add(new Piece(bytes.substring(from), 0));
        return pieces;
    }

    /** The more pieces, the rarer. */
    private static int pause(Dice dice, int pieces) {
        return dice.once(Math.max(2, pieces / 3)) ? dice.between(1, LONGEST_PAUSE_MILLIS) : 0;
    }
}
