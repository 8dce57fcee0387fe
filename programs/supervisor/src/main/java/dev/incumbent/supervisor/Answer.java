package dev.incumbent.supervisor;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** One line of a supervisor: a word, and what follows it. Immutable. */
record Answer(String word, List<String> values) {
    static Answer parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        return new Answer(words.get(0), words.subList(1, words.size()));
    }

    long first() {
        return Long.parseLong(values.get(0));
    }

    long second() {
        return Long.parseLong(values.get(1));
    }

    SupervisorEvent event() {
        return switch (word) {
            case "forked" -> new SupervisorEvent.Forked(first());
            case "started" -> new SupervisorEvent.Started();
            case "noexec" -> new SupervisorEvent.NotExecuted((int) first());
            case "refused" -> new SupervisorEvent.Refused();
            case "stopped" -> new SupervisorEvent.Stopped((int) first());
            case "exited" -> new SupervisorEvent.Exited((int) first());
            case "signaled" -> new SupervisorEvent.Signaled((int) first());
            case "typed" -> new SupervisorEvent.Typed((int) first());
            case "denied" -> denied();
            case "cgroup" -> new SupervisorEvent.Confined(String.join(" ", values));
            case "nocgroup" -> new SupervisorEvent.Unconfined((int) first());
            case "gone" ->
                new SupervisorEvent.Gone(
                        SupervisorEvent.Cause.valueOf(values.get(0).toUpperCase(Locale.ROOT)));
            default -> throw new IllegalArgumentException("not a word of a supervisor: " + word);
        };
    }

    private SupervisorEvent.Denied denied() {
        return values.size() == 1
                ? new SupervisorEvent.Denied(first(), OptionalLong.empty(), "")
                : new SupervisorEvent.Denied(
                        first(), OptionalLong.of(second()), String.join(" ", values.subList(2, values.size())));
    }
}
