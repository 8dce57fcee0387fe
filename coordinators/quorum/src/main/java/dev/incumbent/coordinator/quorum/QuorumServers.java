package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.quorum.QuorumOperator.Node;
import dev.incumbent.coordinator.quorum.QuorumOperator.NotNow;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The members of a quorum, for who operates them.
 *
 * <p>The calling thread waits for the answers. Every call throws {@link CoordinatorException} where no node answers in time, and
 * {@link CoordinatorUnusableException} where asking again does not help.
 */
public final class QuorumServers {
    private static final String MEMBERS = "/v1/members";

    private final Function<Duration, QuorumOperator> operators;

    private QuorumServers(Function<Duration, QuorumOperator> operators) {
        this.operators = operators;
    }

    /** Those of a {@code quorum://} URI; connects with each call. */
    public static QuorumServers of(String uri, Timeline timeline) {
        return new QuorumServers(patience -> QuorumOperator.at(uri, timeline, patience));
    }

    static QuorumServers of(QuorumUri uri, Timeline timeline) {
        return new QuorumServers(patience -> new QuorumOperator(uri, timeline, patience));
    }

    /** What became of a change. */
    public sealed interface Changed {
        /** The members are those. */
        record Done() implements Changed {}

        /** Nothing changed, and one sentence says why. */
        record Refused(String why) implements Changed {}
    }

    /** The members, as the node that leads tells of them in JSON; as any node does where none leads within that time. */
    public Json members(Duration within) {
        List<Json> told = new ArrayList<>();
        try {
            return ask(within, node -> {
                told.add(told(node));
                return ofTheLeader(told.get(told.size() - 1));
            });
        } catch (CoordinatorUnusableException unusable) {
            throw unusable;
        } catch (CoordinatorException nobodyLeads) {
            if (told.isEmpty()) {
                throw nobodyLeads;
            }
            return told.get(told.size() - 1);
        }
    }

    /**
     * Takes the quorum to that list of members, {@code NAME=HOST:PORT} or {@code NAME=HOST:PORT/RAFTPORT} each. Where an answer is lost, or the node that
     * leads cannot change them now, whoever leads then is asked again, until that time has passed: to ask twice changes nothing more.
     */
    public Changed change(List<String> wanted, Duration within) {
        try {
            return ask(within, node -> {
                ofTheLeader(told(node));
                return changed(node, node.exchange(MEMBERS, Line.body(wanted)));
            });
        } catch (CoordinatorUnusableException unusable) {
            throw unusable;
        } catch (CoordinatorException unknown) {
            throw new CoordinatorException(
                    "the members may have changed or not: " + unknown.getMessage(), true, unknown);
        }
    }

    private <T> T ask(Duration within, QuorumOperator.Talk<T> talk) {
        try {
            return operators.apply(within).ask(talk);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CoordinatorException("interrupted", true, interrupted);
        }
    }

    private static Changed changed(Node node, HttpReply reply) throws IOException {
        if (reply.status() == 400 || reply.status() == 409) {
            return new Changed.Refused(reply.text().strip());
        }
        node.text(MEMBERS, reply);
        return new Changed.Done();
    }

    private static Json told(Node node) throws IOException {
        String text = node.ask(MEMBERS, "");
        try {
            return Json.read(text);
        } catch (JsonException e) {
            throw new IOException("it tells no members: " + text.strip(), e);
        }
    }

    private static Json ofTheLeader(Json members) throws NotNow {
        if (!members.at("leads").flag()) {
            throw new NotNow("it does not lead");
        }
        return members;
    }
}
