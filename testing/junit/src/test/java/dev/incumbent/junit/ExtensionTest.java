package dev.incumbent.junit;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** How JUnit and a world work together. */
class ExtensionTest {
    @IncumbentTest
    void aTestHasAWorldOfTheUsualSeed(World world) {
        assertThat(world.seed()).isEqualTo(1);
    }

    @IncumbentTest(seed = 0x2aL)
    void aTestHasAWorldOfTheSeedThatItNames(World world) {
        assertThat(world.seed()).isEqualTo(42);
    }

    @Test
    @ExtendWith(IncumbentExtension.class)
    void aPlainTestHasOneToo(World world) {
        assertThat(world.elapsed()).isZero();
    }

    @Test
    void aTestThatFailsCarriesItsStory() {
        Throwable thrown = failureOf("failsAtItsEnd");

        assertThat(thrown).hasMessage("the user's own assertion");
        assertThat(thrown.getSuppressed())
                .anySatisfy(story -> assertThat(story)
                        .hasMessageContaining("The story of seed 0x7:")
                        .hasMessageContaining("a leads, term 1")
                        .hasMessageContaining("@IncumbentTest(seed = 0x7L)"));
    }

    @Test
    void aWorldThatIsFoundToHaveFailedAfterTheTestFailsIt() {
        assertThat(failureOf("failsWhenItIsOver")).hasMessageContaining("does not end although its process is dead");
    }

    private static Throwable failureOf(String method) {
        SummaryGeneratingListener heard = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(Played.class, method, World.class.getName()))
                                .build(),
                        heard);
        assertThat(heard.getSummary().getFailures()).hasSize(1);
        return heard.getSummary().getFailures().get(0).getException();
    }

    /** Tests that fail, for those above alone. */
    static class Played {
        @BeforeEach
        void theSameWorldAsTheTest(World world) {
            world.realTimeLimit(ofMillis(200));
        }

        @IncumbentTest(seed = 7)
        void failsAtItsEnd(World world) {
            world.candidate("a", leadership -> world.sleep(ofMinutes(5)));
            world.runFor(ofSeconds(10));
            throw new AssertionError("the user's own assertion");
        }

        @IncumbentTest(seed = 7)
        void failsWhenItIsOver(World world) {
            world.candidate("a", leadership -> {
                try {
                    world.sleep(ofMinutes(5));
                } catch (ProcessEnded swallowed) {
                    new CountDownLatch(1).await();
                }
            });
            world.awaitLeader();
        }
    }
}
