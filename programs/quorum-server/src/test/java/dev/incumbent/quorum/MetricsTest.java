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
    private static final Set<String> GAUGES = Set.of(
            "ready",
            "leads",
            "term",
            "applied_index",
            "committed_index",
            "lag_entries",
            "leases",
            "elections",
            "watches");

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
            GAUGES.forEach(name -> assertThat(numbers).containsKey(P + name));
            assertThat(numbers.get(P + "term")).isPositive();
            assertThat(numbers.get(P + "applied_index")).isPositive();
            assertThat(numbers.get(P + "log_sync_seconds_count")).isPositive();
            assertThat(numbers).containsKey(P + "log_sync_seconds{quantile=\"0.99\"}");
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

    /** Parses strictly: each family has its help, its type and its samples, in that order, once. */
    private static Map<String, Double> numbers(Member member) {
        HttpResponse<String> answer = Calling.post(member.port(), "/metrics", "", Optional.of(SECRET));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
        assertThat(answer.body()).endsWith("\n").doesNotContain(SECRET, "secretive", "ada");
        Map<String, Double> numbers = new HashMap<>();
        Set<String> families = new HashSet<>();
        String family = "";
        List<String> lines = answer.body().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", 4)[2];
                assertThat(families.add(family)).as(line).isTrue();
                assertThat(lines.get(++i)).matches("# TYPE " + family + " (gauge|counter|summary)");
            } else {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).isIn(family, family + "_count");
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
