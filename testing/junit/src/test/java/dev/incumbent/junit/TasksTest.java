package dev.incumbent.junit;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a world makes of tasks that do not behave. */
class TasksTest {
    @IncumbentTest
    void aTaskThatThrowsEndsItsTermAndItsCandidateStandsAgain(World world) {
        world.candidate("a", leadership -> {
            world.sleep(ofSeconds(2));
            throw new IllegalStateException("no disk, term " + leadership.token());
        });

        world.runFor(ofMinutes(5));

        assertThat(world.story())
                .anyMatch(line -> line.contains("throws java.lang.IllegalStateException: no disk, term 1"))
                .anyMatch(line -> line.contains("throws java.lang.IllegalStateException: no disk, term 2"));
    }

    @IncumbentTest
    void aTaskThatReturnsLeavesTheLeadershipToAnother(World world) {
        List<String> led = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            world.candidate(name, leadership -> led.add(name));
        }

        world.runFor(ofMinutes(1));

        assertThat(led).contains("a", "b");
    }

    @IncumbentTest
    void anAssertionThatFailsInATaskFailsTheTest(World world) {
        world.candidate(
                "a", leadership -> assertThat(leadership.token().value()).isEqualTo(9));

        assertThatThrownBy(() -> world.runFor(ofMinutes(1))).isInstanceOf(AssertionError.class);
    }

    @IncumbentTest
    @Timeout(30)
    void aTaskThatNeverComesBackFailsTheTestAndItsThreadIsShown(World world) {
        CountDownLatch never = new CountDownLatch(1);
        world.realTimeLimit(ofMillis(200));
        world.candidate("a", leadership -> never.await());

        assertThatThrownBy(() -> world.runFor(ofMinutes(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "the task of a, term 1, has not come back to the world within PT0.2S of real time")
                .hasMessageContaining("TasksTest");
    }

    @IncumbentTest
    @Timeout(60)
    void aTaskThatOnlyCallsTheWorldAndNeverStopsIsStalledAndAnotherLeads(World world) {
        world.candidate("a", leadership -> {
            while (true) {
                try {
                    world.sleep(ofSeconds(1));
                } catch (InterruptedException ignored) {
                    // it does not stop
                }
            }
        });
        world.candidate("b", leadership -> world.sleep(ofMinutes(1)));
        world.runFor(ofSeconds(5));
        if (world.leader().equals(java.util.Optional.of("b"))) {
            world.runFor(ofMinutes(2));
        }

        world.partition("a", ofMinutes(3));
        world.runFor(ofSeconds(50));

        assertThat(world.leader()).contains("b");
    }

    @IncumbentTest
    @Timeout(60)
    void aTaskThatAsksItsGuardWithoutASleepDoesNotStopTime(World world) {
        List<Integer> asked = new ArrayList<>(List.of(0));
        world.candidate("a", leadership -> {
            while (leadership.holds()) {
                asked.set(0, asked.get(0) + 1);
            }
        });
        world.awaitLeader();

        world.runFor(ofSeconds(2));

        assertThat(asked.get(0)).isBetween(100_000, 300_000);
    }

    @IncumbentTest
    @Timeout(60)
    void aTaskWhoseProcessDiesEndsWhereItStands(World world) {
        List<String> done = new ArrayList<>();
        world.candidate("a", leadership -> {
            try {
                world.sleep(ofMinutes(5));
                done.add("woke");
            } finally {
                done.add("unwound");
            }
        });
        world.awaitLeader();

        world.kill("a");

        assertThat(done).containsExactly("unwound");
    }

    @IncumbentTest
    @Timeout(60)
    void aThreadThatATaskStartsMayNotCallTheWorldAndIsTold(World world) {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Throwable> answer = new CompletableFuture<>();
        VirtualStore<List<String>> journal = world.store("journal", new ArrayList<>());
        world.candidate("a", leadership -> {
            Thread other = new Thread(
                    () -> {
                        try {
                            journal.write(lines -> lines.add("a line"));
                            answer.complete(new AssertionError("it was written"));
                        } catch (IllegalStateException refused) {
                            answer.complete(refused);
                        }
                        try {
                            over.await();
                        } catch (InterruptedException ended) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "a thread of its own");
            other.start();
            answer.get(30, TimeUnit.SECONDS);
        });

        world.runFor(ofSeconds(10));
        over.countDown();

        assertThat(answer)
                .isCompletedWithValueMatching(thrown -> thrown instanceof IllegalStateException
                        && String.valueOf(thrown.getMessage())
                                .startsWith("the thread a thread of its own is neither the test's nor"));
        assertThat(world.story())
                .anyMatch(line -> line.contains("the task of a has started the thread a thread of its own"));
        assertThat(journal.<Integer, RuntimeException>read(List::size)).isZero();
    }

    @IncumbentTest
    void aTaskLetsNoTimePass(World world) {
        List<String> refused = new ArrayList<>();
        world.candidate("a", leadership -> {
            try {
                world.runFor(ofSeconds(1));
            } catch (IllegalStateException expected) {
                refused.add(expected.getMessage());
            }
        });

        world.runFor(ofSeconds(3));

        assertThat(refused).containsExactly("time passes by the test, not by a task or another thread");
        assertThatThrownBy(() -> world.sleep(ofSeconds(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @Timeout(60)
    void noThreadOfATaskOutlivesItsWorld() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();

        Worlds.runSeeds(3, world -> {
            world.candidate("a", leadership -> {
                threads.add(Thread.currentThread());
                world.sleep(ofMinutes(50));
            });
            world.awaitLeader();
            world.runFor(ofSeconds(1));
        });

        assertThat(threads).hasSize(3);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(thread.isAlive()).isFalse();
        }
    }
}
