package dev.incumbent.cli.doctor;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import java.util.List;
import java.util.OptionalInt;

/** Does the number of servers that vote fit a majority? */
final class MembersCheck {
    private static final String CHECK = "members";
    private static final int MOST = 7;

    private MembersCheck() {}

    /** Nothing where the store does not tell. */
    static List<Finding> findings(Coordinator coordinator) {
        OptionalInt told;
        try {
            told = Answers.await(coordinator.memberCount());
        } catch (CoordinatorException refused) {
            return List.of(
                    Finding.note(CHECK, "the store does not tell how many servers vote: " + refused.getMessage()));
        }
        return told.isPresent() ? List.of(judged(told.getAsInt())) : List.of();
    }

    private static Finding judged(int members) {
        int lost = (members - 1) / 2;
        String told = members + " servers vote, of which " + lost + " may be lost";
        if (members == 1) {
            return Finding.note(
                    CHECK, "one server votes: while it is down, nobody is elected, and terms end with their leases");
        }
        if (members % 2 == 0) {
            return Finding.wrong(
                    CHECK,
                    told + ", as of " + (members - 1) + ": an even number adds a server that can fail, and no safety");
        }
        return members > MOST
                ? Finding.wrong(
                        CHECK, told + "; more than " + MOST + " make each write slower: three or five are enough")
                : Finding.well(CHECK, told);
    }
}
