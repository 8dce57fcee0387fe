package dev.incumbent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test in one virtual world, which the method takes as its parameter.
 *
 * <pre>{@code
 * @IncumbentTest
 * void aPausedLeaderWritesNothingLate(World world) {
 *     VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
 *     world.candidate("a", new JournalTask(world, journal));
 *     world.candidate("b", new JournalTask(world, journal));
 *     world.awaitLeader();
 *
 *     world.pauseLeaderAfterItsNextCheck(Duration.ofSeconds(60));
 *     world.runFor(Duration.ofSeconds(90));
 *
 *     world.assertNoStaleWrites();
 * }
 * }</pre>
 *
 * <p>The same seed plays the same story. To play many seeds call {@link Worlds#runSeeds}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(IncumbentExtension.class)
public @interface IncumbentTest {
    /** From which latencies, clocks and injected faults are drawn. */
    long seed() default 1;
}
