package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A node's numbers can be read by a strict parser, and are those of what happened. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class MetricsTest {
    private static final String SECRET = "open-sesame-0817";
    /** The first call of a quorum takes seconds on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String P = "incumbent_quorum_";
    private static final ElectionName ELECTION = new ElectionName("metrics/secretive-name");
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-z_]+)(\\{[a-z]+=\"[^\"\\\\\\n]*\"(?:,[a-z]+=\"[^\"\\\\\\n]*\")*})? (-?\\d+(?:\\.\\d+(?:E-?\\d+)?)?)");
    /** The families of the first nodes, which wrote the text format of Prometheus by themselves. Recordings and alerts know these names. */
    private static final String FIRST = """
            # HELP incumbent_quorum_ready 1 if the node knows a leader and keeps up with it.
            # TYPE incumbent_quorum_ready gauge
            # HELP incumbent_quorum_leads 1 if the node leads the quorum.
            # TYPE incumbent_quorum_leads gauge
            # HELP incumbent_quorum_term The term of Raft.
            # TYPE incumbent_quorum_term gauge
            # HELP incumbent_quorum_applied_index The last entry of the log that this node has applied.
            # TYPE incumbent_quorum_applied_index gauge
            # HELP incumbent_quorum_committed_index The last entry that this node knows as committed.
            # TYPE incumbent_quorum_committed_index gauge
            # HELP incumbent_quorum_lag_entries Entries that are committed and not applied here.
            # TYPE incumbent_quorum_lag_entries gauge
            # HELP incumbent_quorum_log_sync_seconds Time until the log was on the disk, of recent writes.
            # TYPE incumbent_quorum_log_sync_seconds summary
            # HELP incumbent_quorum_leases Leases that live.
            # TYPE incumbent_quorum_leases gauge
            # HELP incumbent_quorum_elections Elections that have a record or a candidate.
            # TYPE incumbent_quorum_elections gauge
            # HELP incumbent_quorum_watches Requests for watches that this node holds.
            # TYPE incumbent_quorum_watches gauge
            # HELP incumbent_quorum_requests_total Requests by path and status; none: refused or closed before it had one.
            # TYPE incumbent_quorum_requests_total counter
            """;

    @Test
    void theNumbersOfEachNodeAreThoseOfWhatHappened() throws IOException {
        try (NodesHere nodes = NodesHere.start(NodesHere.Access.guarded(SECRET))) {
            String parameter = "?token-file=" + Files.writeString(nodes.folder().resolve("token"), SECRET);
            Coordinator client = nodes.open(nodes.uri() + parameter, PATIENCE);
            Calling.created(client, ELECTION);
            Calling.joined(client.grant(new CandidateId("ada"), Duration.ofMinutes(5)));
            Calling.joined(client.grant(new CandidateId("ada"), Duration.ofMinutes(5)));
            client.watch(ELECTION, new Deaf());

            for (Member member : nodes.members()) {
                Waiting.until("the numbers of " + member.name(), () -> {
                    Map<String, Double> numbers = numbers(member);
                    return is(numbers, "ready", 1) && is(numbers, "elections", 1) && is(numbers, "leases", 2);
                });
            }
            Waiting.until(
                    "all that is committed is applied",
                    () -> nodes.members().stream()
                            .map(MetricsTest::numbers)
                            .allMatch(numbers -> is(numbers, "lag_entries", 0)
                                    && is(numbers, "committed_index", numbers.getOrDefault(P + "applied_index", 0.0))));
            Waiting.until("one watch", () -> sum(nodes, "watches") == 1);
            Waiting.until("one leader", () -> sum(nodes, "leads") == 1);

            Member first = nodes.members().get(0);
            Map<String, Double> numbers = numbers(first);
            assertThat(families(told(first))).isEqualTo(families(FIRST));
            assertThat(numbers.keySet().stream()
                            .filter(name -> !name.startsWith(P + "requests_total{"))
                            .toList())
                    .containsExactlyInAnyOrderElementsOf(samples());
            assertThat(numbers.get(P + "term")).isPositive();
            assertThat(numbers.get(P + "applied_index")).isPositive();
            assertThat(numbers.get(P + "log_sync_seconds_count")).isPositive();
            Calling.post(first.port(), "/v1/status", "", Optional.empty());
            String refused = P + "requests_total{route=\"/v1/status\",status=\"401\"}";
            assertThat(numbers(first)).containsEntry(refused, 1.0);
            Calling.post(first.port(), "/nobody/knows/this/path", "", Optional.of(SECRET));
            assertThat(numbers(first)).containsEntry(P + "requests_total{route=\"/\",status=\"404\"}", 1.0);
        }
    }

    private static boolean is(Map<String, Double> numbers, String name, double value) {
        return numbers.getOrDefault(P + name, -1.0) == value;
    }

    private static double sum(NodesHere nodes, String name) {
        return nodes.members().stream()
                .mapToDouble(member -> numbers(member).getOrDefault(P + name, 0.0))
                .sum();
    }

    /** The names of all samples but those of requests. */
    private static Set<String> samples() {
        Set<String> names = new HashSet<>(Set.of(
                P + "log_sync_seconds{quantile=\"0.5\"}",
                P + "log_sync_seconds{quantile=\"0.99\"}",
                P + "log_sync_seconds_count"));
        families(FIRST).values().stream()
                .filter(family -> family.type().equals("gauge"))
                .forEach(family -> names.add(family.name()));
        return names;
    }

    private static String told(Member member) {
        HttpResponse<String> answer = Calling.post(member.port(), "/metrics", "", Optional.of(SECRET));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type"))
                .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(answer.body()).endsWith("\n# EOF\n").doesNotContain(SECRET, "secretive", "ada");
        return answer.body();
    }

    /** A family by the name of its samples: OpenMetrics leaves out the end of a counter's name in its head. */
    private record Family(String name, String type, String help) {}

    private static Map<String, Family> families(String text) {
        Map<String, String> helps = new HashMap<>();
        Map<String, String> types = new HashMap<>();
        text.lines().filter(line -> line.startsWith("# ")).forEach(line -> {
            String[] parts = line.split(" ", 4);
            if (parts[1].equals("HELP")) {
                assertThat(helps.put(parts[2], parts[3])).as(line).isNull();
            } else if (parts[1].equals("TYPE")) {
                assertThat(types.put(parts[2], parts[3])).as(line).isNull();
            }
        });
        assertThat(helps.keySet()).isEqualTo(types.keySet());
        Map<String, Family> families = new HashMap<>();
        types.forEach((head, type) -> {
            String name = type.equals("counter") && !head.endsWith("_total") ? head + "_total" : head;
            families.put(name, new Family(name, type, helps.getOrDefault(head, "")));
        });
        return families;
    }

    /** Parses strictly: each family has its type, its help and its samples, in that order, once; then comes the end. */
    private static Map<String, Double> numbers(Member member) {
        Map<String, Double> numbers = new HashMap<>();
        Set<String> families = new HashSet<>();
        String family = "";
        String type = "";
        List<String> lines = told(member).lines().toList();
        for (int i = 0; i < lines.size() - 1; i++) {
            String line = lines.get(i);
            if (line.startsWith("# TYPE ")) {
                family = line.split(" ", 4)[2];
                type = line.split(" ", 4)[3];
                assertThat(families.add(family)).as(line).isTrue();
                assertThat(type).as(line).isIn("gauge", "counter", "summary");
                assertThat(lines.get(++i)).startsWith("# HELP " + family + " ");
            } else {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1))
                        .isIn(
                                switch (type) {
                                    case "counter" -> List.of(family + "_total");
                                    case "summary" -> List.of(family, family + "_count");
                                    default -> List.of(family);
                                });
                String name =
                        sample.group(1) + Optional.ofNullable(sample.group(2)).orElse("");
                assertThat(numbers.put(name, Double.parseDouble(sample.group(3))))
                        .as(line)
                        .isNull();
            }
        }
        return numbers;
    }

    /** Watches, and heeds nothing. */
    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
