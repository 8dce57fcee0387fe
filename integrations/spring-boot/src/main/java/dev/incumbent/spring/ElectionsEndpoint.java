package dev.incumbent.spring;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionStatus;
import dev.incumbent.Elections;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.LeaderRecord;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The operator's look at elections, and the two verbs that end a term in order, as an endpoint of Boot's actuator: {@code GET elections}, {@code GET elections/NAME}, {@code POST elections/NAME} with
 * {@code {"to": "host-2"}} to transfer, and {@code DELETE elections/NAME} to have the leader resign. A name may contain slashes.
 *
 * <p>Thread-safe. A call waits for the coordinator, and one that ends a term also for the next leader, at most for {@value #LONGEST_SECONDS} seconds and the time of a few requests.
 */
@Endpoint(id = "elections")
public final class ElectionsEndpoint {
    private static final int LONGEST_SECONDS = 20;
    private static final Duration LONGEST = Duration.ofSeconds(LONGEST_SECONDS);

    private final Elections elections;
    private final Supplier<Candidacies> candidacies;

    ElectionsEndpoint(Elections elections, Supplier<Candidacies> candidacies) {
        this.elections = elections;
        this.candidacies = candidacies;
    }

    /** The elections that this process stands in, as it knows them without asking the coordinator. */
    @ReadOperation
    public Map<String, Object> elections() {
        Map<String, Object> told = new LinkedHashMap<>();
        candidacies.get().candidacies().forEach((name, candidacy) -> told.put(name, Readiness.told(candidacy)));
        return told;
    }

    /** An election as the coordinator has it. */
    @ReadOperation
    public Map<String, Object> election(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        ElectionStatus status = awaited(admin(name).status());
        LeaderRecord record = status.observed().record();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("election", status.election().value());
        told.put("term", record.term());
        if (!status.observed().isVacant()) {
            record.leader().map(Candidate::name).ifPresent(leader -> told.put("leader", leader));
            told.put("since", record.since().toString());
        }
        told.put(
                "candidates",
                status.candidates().stream().map(one -> one.candidate().name()).toList());
        return told;
    }

    /** Hands the leadership to a candidate, by its name or id. The answer says how that ended. */
    @WriteOperation
    public Map<String, Object> transfer(@Selector(match = Selector.Match.ALL_REMAINING) String[] name, String to) {
        return outcome(awaited(admin(name).transferTo(to, LONGEST)));
    }

    /** Has the leader resign. The answer says how that ended. */
    @DeleteOperation
    public Map<String, Object> resign(@Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        return outcome(awaited(admin(name).resign(LONGEST)));
    }

    private ElectionAdmin admin(String[] name) {
        return elections.admin(String.join("/", name));
    }

    private static <T> T awaited(CompletionStage<T> asked) {
        return asked.toCompletableFuture().join();
    }

    private static Map<String, Object> outcome(Object ended) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("outcome", ended.getClass().getSimpleName());
        told.put("detail", ended.toString());
        return told;
    }
}
