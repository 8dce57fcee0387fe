package dev.incumbent.cli.reading;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why a process does not stand with the sinks it was given, and what to do.
 *
 * @param labels what people know sinks by, as the record has it
 */
public record SinksAdvice(Map<SinkId, String> labels, Collection<SinkId> missing, Collection<SinkId> retired) {
    /** For people; empty where nothing is amiss. */
    public String sentence(ElectionName election) {
        if (missing.isEmpty() && retired.isEmpty()) {
            return "";
        }
        String lacks = missing.isEmpty()
                ? ""
                : "the record names sinks that are not given here: " + named(missing)
                        + "; give each by --sink, or retire it: incumbent fence retire " + election + " --sink-id "
                        + missing.iterator().next();
        String brings = retired.isEmpty()
                ? ""
                : "sinks that are given here were retired: " + named(retired)
                        + "; leave out their --sink, or take that back: incumbent fence retire " + election
                        + " --sink-id " + retired.iterator().next() + " --undo";
        return lacks + (lacks.isEmpty() || brings.isEmpty() ? "" : "; and ") + brings;
    }

    private String named(Collection<SinkId> sinks) {
        return sinks.stream()
                .map(id -> Optional.ofNullable(labels.get(id))
                        .map(label -> label + " (id " + id + ")")
                        .orElse("id " + id))
                .collect(Collectors.joining(", "));
    }
}
