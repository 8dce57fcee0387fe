package dev.incumbent.fuzz;

/** Requests that were right, and of which some bits or bytes have changed. */
final class Changes {
    private static final int BITS = 8;

    private Changes() {}

    static String bitsFlipped(Dice dice, Example example) {
        StringBuilder text = new StringBuilder(example.text());
        for (int i = dice.between(1, 5); i > 0; i--) {
            int at = dice.below(text.length());
            text.setCharAt(at, (char) (text.charAt(at) ^ (1 << dice.below(BITS))));
        }
        return text.toString();
    }

    static String bytesChanged(Dice dice, Example example) {
        return changed(dice, example.text());
    }

    /** Some bytes are left out, doubled, moved or put in. */
    static String changed(Dice dice, String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = dice.between(1, 4); i > 0 && !changed.isEmpty(); i--) {
            int from = dice.below(changed.length());
            int to = Math.min(changed.length(), from + dice.between(1, 20));
            switch (dice.below(4)) {
                case 0 -> changed.delete(from, to);
                case 1 -> changed.insert(from, changed.substring(from, to));
                case 2 -> changed.insert(from, dice.bytes(dice.between(1, 10)));
                default -> {
                    String moved = changed.substring(from, to);
                    changed.delete(from, to).insert(dice.below(changed.length() + 1), moved);
                }
            }
        }
        return changed.toString();
    }
}
