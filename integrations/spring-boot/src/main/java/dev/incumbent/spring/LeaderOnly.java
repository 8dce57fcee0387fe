package dev.incumbent.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method of a bean that runs only while this process leads the named election, and in that term. It may be a {@code @Scheduled} one, a listener, or any other that is called from outside of its bean.
 *
 * <p>The application stands in the election from its start on. While it does not lead, a call does nothing: a method without a result is skipped, one that returns an {@code Optional}
 * returns an empty one, and every other one throws a {@link NotLeaderException}.
 *
 * <p>The method belongs to the term that it began in. When that term must end, the thread of the method is interrupted, and the next leader is let in once the method has returned, or its stop budget is over. What it writes
 * through the application's {@code DataSource} on its own thread is fenced. Work that it hands to other threads is in no term.
 *
 * <p>As with {@code @Transactional}, a call through {@code this} does not pass here. A method that is private, static or final, or that returns before its work is done (a future, a publisher), is refused when the
 * application starts.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {
    /** The name of the election, such as {@code billing/closer}; placeholders such as {@code ${app.election}} are resolved. */
    String value();
}
