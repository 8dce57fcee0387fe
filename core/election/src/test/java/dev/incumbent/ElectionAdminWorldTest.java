package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.protocol.operator.OperatorState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Freezes and thaws against each other, over lost answers, late messages and operators that die. */
class ElectionAdminWorldTest {
    private static final int SEEDS = 5_000;
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final List<String> LABELS = List.of("ledger", "audit");
    private static final LeaderRecord VACANT = LeaderRecord.EMPTY
            .withSinks(Map.of(new SinkId("S-a"), "ledger", new SinkId("S-b"), "audit"))
            .written("n0");

    @Test
    void onceAThawHasClearedTheFlagNoSinkIsClosedAnyMore() {
        int thawed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            ElectionAdminWorld world = storm(seed);

            world.settle();

            if (!world.record.isFrozen()) {
                thawed += world.marks.isEmpty() ? 0 : 1;
                assertThat(world.marks.values())
                        .as("seed %d: %s", seed, world.record)
                        .noneMatch(mark -> mark.owner() instanceof MarkOwner.OfFreeze);
            }
        }
        assertThat(thawed).as("worlds in which a thaw came last").isGreaterThan(SEEDS / 50);
    }

    @Test
    void theLastFreezeClosesEverySinkAndTheLastThawOpensThemAboveEveryMark() {
        for (long seed = 0; seed < SEEDS; seed++) {
            ElectionAdminWorld world = storm(seed);
            world.settle();

            Freezing.Frozen frozen = (Freezing.Frozen) run(world, freeze("last-freeze"));
            assertThat(frozen.isClosed()).as("seed %d: %s", seed, frozen).isTrue();
            assertThat(world.marks.values())
                    .as("seed %d", seed)
                    .allMatch(mark -> mark.owner() instanceof MarkOwner.OfFreeze);

            Thaw.Thawed thawed = (Thaw.Thawed) run(world, thaw("last-thaw"));
            assertThat(world.marks.values())
                    .as("seed %d: %s", seed, thawed)
                    .allMatch(mark -> mark.token().value() <= world.record.term()
                            && !(mark.owner() instanceof MarkOwner.OfFreeze));
        }
    }

    @Test
    void aFreezeThatClosedStaysClosedUntilAThawBeginsAfterIt() {
        int closed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            ElectionAdminWorld world = storm(seed);
            ElectionAdminWorld.Operated freeze = world.begin(freeze("watched"));
            for (int i = 0; i < 400 && !freeze.isOver(); i++) {
                world.happen();
            }
            Optional<Freezing.Frozen> frozen = freeze.outcome()
                    .filter(Freezing.Frozen.class::isInstance)
                    .map(Freezing.Frozen.class::cast)
                    .filter(Freezing.Frozen::isClosed);
            if (frozen.isPresent() && everyThawIsOver(world)) {
                closed++;
                world.settle();

                assertThat(world.marks.values())
                        .as("seed %d: %s", seed, frozen)
                        .allMatch(mark -> mark.owner() instanceof MarkOwner.OfFreeze);
            }
        }
        assertThat(closed).as("worlds in which the freeze closed").isGreaterThan(SEEDS / 50);
    }

    @Test
    void aFreezeStandsAgainstTheLateSwapOfAThawThatDied() {
        int frozen = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            ElectionAdminWorld world = new ElectionAdminWorld(seed, LeaderRecord.EMPTY.written("n0"));
            world.begin(OperatorProtocol.freeze("first", "test", List.of(), BOUND, false));
            happen(world, 20);
            ElectionAdminWorld.Operated thaw = world.begin(OperatorProtocol.thaw("died", List.of(), BOUND));
            happen(world, 8);
            thaw.die();
            ElectionAdminWorld.Operated last =
                    world.begin(OperatorProtocol.freeze("last", "test", List.of(), BOUND, false));
            happen(world, 30);
            if (last.outcome().filter(Freezing.Frozen.class::isInstance).isPresent()) {
                frozen++;
                world.settle();

                assertThat(world.record.isFrozen()).as("seed %d", seed).isTrue();
            }
        }
        assertThat(frozen).as("worlds in which the last freeze was done").isGreaterThan(SEEDS / 50);
    }

    private static void happen(ElectionAdminWorld world, int times) {
        for (int i = 0; i < times; i++) {
            world.happen();
        }
    }

    /** A thaw that read the marks after the freeze raised them may open them: it began after that. */
    private static boolean everyThawIsOver(ElectionAdminWorld world) {
        return world.marks.values().stream().allMatch(mark -> mark.owner() instanceof MarkOwner.OfFreeze)
                && world.operations.stream()
                        .allMatch(one -> one.isOver() || one.toString().startsWith("FreezeState"));
    }

    private static ElectionAdminWorld storm(long seed) {
        ElectionAdminWorld world = new ElectionAdminWorld(seed, VACANT);
        Random random = new Random(~seed);
        if (random.nextInt(3) == 0) {
            Mark kept = new Mark(new FencingToken(5), MarkOwner.ofOperator("restored"));
            world.marks.put(new SinkId("S-a"), kept);
        }
        int operators = 2 + random.nextInt(3);
        for (int i = 0; i < operators; i++) {
            world.begin(i == 0 || random.nextBoolean() ? freeze("f" + i) : thaw("t" + i));
            for (int steps = random.nextInt(60); steps > 0; steps--) {
                world.happen();
            }
        }
        return world;
    }

    private static Object run(ElectionAdminWorld world, OperatorState state) {
        ElectionAdminWorld.Operated operation = world.begin(state);
        world.settle();
        return operation.outcome().orElseThrow();
    }

    private static OperatorState freeze(String who) {
        return OperatorProtocol.freeze(who, "test", LABELS, BOUND, false);
    }

    private static OperatorState thaw(String who) {
        return OperatorProtocol.thaw(who, LABELS, BOUND);
    }
}
