package dev.incumbent.quorum;

import dev.incumbent.quorum.NodeSettings.Coming;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** How a node comes to its quorum: it waits until those that are there admit its disk, and take in one that is new. Used by the thread that starts the node. */
final class Arrival {
    static final String REJOIN = "/v1/rejoin";
    private static final Duration ASKED_AGAIN = Duration.ofMillis(300);

    private final NodeSettings settings;
    private final Peers peers;
    private final Consumer<String> says;
    private final BooleanSupplier isClosed;

    Arrival(NodeSettings settings, Peers peers, Consumer<String> says, BooleanSupplier isClosed) {
        this.settings = settings;
        this.peers = peers;
        this.says = says;
        this.isClosed = isClosed;
    }

    /** Before it takes part. Throws {@link NodeRefusal} where it must not. */
    void awaitAdmission() throws IOException, InterruptedException {
        if (settings.coming() == Coming.REJOINING) {
            comeBack();
        } else {
            awaitKnownDisk();
        }
        requireKnownAddress();
    }

    /** While it takes part, and is to be a voter. */
    void awaitTakenIn() throws InterruptedException {
        if (settings.coming() == Coming.REJOINING) {
            awaitNewVoter();
        } else if (peers.marker().joins()) {
            awaitMembership();
        }
    }

    private void requireKnownAddress() {
        peers.marker()
                .roll()
                .members()
                .named(settings.name())
                .filter(known -> !known.member().equals(settings.self()))
                .filter(known -> settings.coming() != Coming.JOINING)
                .ifPresent(known -> {
                    throw new NodeRefusal("node " + settings.name() + " does not start: it is to listen as "
                            + settings.self() + ", and the quorum knows it as " + known.member()
                            + "; 'incumbent server change' gives a member another address");
                });
    }

    /** A disk that a majority may not know of is asked about until enough have answered. */
    private void awaitKnownDisk() throws IOException, InterruptedException {
        String said = "";
        while (!isClosed.getAsBoolean()) {
            Map<String, Roll> answers = peers.askAll();
            Admission admission = Admission.of(peers.marker(), peers.members(), answers);
            if (admission instanceof Admission.Refused refused) {
                requireKnownAddress();
                throw new NodeRefusal("node " + settings.name() + " does not start: " + refused.why());
            }
            if (admission instanceof Admission.Admitted admitted) {
                peers.change(mine -> mine.with(admitted.roll()
                        .merged(mine.roll().inCluster(admitted.roll().cluster()))));
                return;
            }
            if (admission instanceof Admission.Wait wait && !wait.forWhom().equals(said)) {
                said = wait.forWhom();
                says.accept("node " + settings.name() + " waits for " + said);
            }
            SystemTimeline.sleep(ASKED_AGAIN);
        }
    }

    /** With an empty disk: learns of the quorum from any node of it. */
    private void comeBack() throws IOException, InterruptedException {
        while (!peers.marker().roll().isFormatted() && !isClosed.getAsBoolean()) {
            for (Roll its : peers.ask("").values()) {
                if (its.isFormatted()) {
                    long generation =
                            its.disk(settings.name()).map(Roll.Disk::generation).orElse(0L) + 1;
                    peers.change(
                            mine -> mine.with(its.with(settings.name(), new Roll.Disk(generation, mine.disk(), 0))));
                    return;
                }
            }
            SystemTimeline.sleep(ASKED_AGAIN);
        }
    }

    /** Until whoever leads was told to make it a member. */
    private void awaitMembership() throws InterruptedException {
        says.accept("node " + settings.name() + " waits until 'incumbent server change' makes it a member");
        while (!isClosed.getAsBoolean() && peers.marker().joins()) {
            SystemTimeline.sleep(ASKED_AGAIN);
        }
        says.accept("node " + settings.name() + " is a member now");
    }

    private void awaitNewVoter() throws InterruptedException {
        says.accept("node " + settings.name() + " waits to be taken in as a new voter");
        while (!isClosed.getAsBoolean() && !peers.rejoin(REJOIN)) {
            SystemTimeline.sleep(ASKED_AGAIN);
        }
        says.accept("node " + settings.name() + " was taken in");
    }
}
