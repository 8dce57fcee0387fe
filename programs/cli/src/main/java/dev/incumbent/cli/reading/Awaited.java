package dev.incumbent.cli.reading;

import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;

/** What {@code wait --for} waits for. */
sealed interface Awaited {
    boolean isMetBy(ObservedRecord observed);

    /** Somebody leads. */
    record SomeLeader() implements Awaited {
        @Override
        public boolean isMetBy(ObservedRecord observed) {
            return !observed.isVacant();
        }
    }

    /** Nobody leads. */
    record Vacancy() implements Awaited {
        @Override
        public boolean isMetBy(ObservedRecord observed) {
            return observed.isVacant();
        }
    }

    /** Somebody leads with that token or a later one. */
    record Token(long atLeast) implements Awaited {
        @Override
        public boolean isMetBy(ObservedRecord observed) {
            return !observed.isVacant() && observed.record().term() >= atLeast;
        }
    }

    /** A candidate of that name, or of that id, leads. */
    record Leader(String nameOrId) implements Awaited {
        @Override
        public boolean isMetBy(ObservedRecord observed) {
            LeaderRecord record = observed.record();
            return !observed.isVacant()
                    && record.leader()
                            .filter(leader -> leader.name().equals(nameOrId)
                                    || leader.id().value().equals(nameOrId))
                            .isPresent();
        }
    }

    /** Reads {@code leader}, {@code vacant}, {@code token=N} or {@code leader=NAME}. */
    static Awaited parse(String text) {
        if (text.equals("leader")) {
            return new SomeLeader();
        }
        if (text.equals("vacant")) {
            return new Vacancy();
        }
        if (text.matches("token=[0-9]{1,18}")) {
            return new Token(Long.parseLong(text.substring("token=".length())));
        }
        if (text.matches("leader=\\S+")) {
            return new Leader(text.substring("leader=".length()));
        }
        throw new IllegalArgumentException("'" + text + "' is none of leader, vacant, token=N and leader=NAME");
    }
}
