package dev.incumbent.spring;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.Candidate;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Runs a {@link LeaderOnly} method in the term under way, or skips it. Thread-safe. */
final class LeaderOnlyAdvice implements MethodInterceptor {
    private final Supplier<Candidacies> candidacies;
    private final CurrentTerm current;
    private final Supplier<? extends Iterable<EntryCheck>> checks;
    private volatile UnaryOperator<@Nullable String> resolved = name -> name;

    LeaderOnlyAdvice(
            Supplier<Candidacies> candidacies, CurrentTerm current, Supplier<? extends Iterable<EntryCheck>> checks) {
        this.candidacies = candidacies;
        this.current = current;
        this.checks = checks;
    }

    void resolveBy(UnaryOperator<@Nullable String> placeholders) {
        resolved = placeholders;
    }

    /** The name that the annotation gives. */
    String electionOf(LeaderOnly only) {
        String name = resolved.apply(only.value());
        if (name == null) {
            throw new IllegalStateException("@LeaderOnly(\"" + only.value() + "\") names no election");
        }
        return name;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object bean = call.getThis();
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), bean == null ? null : bean.getClass());
        LeaderOnly only = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
        if (only == null) {
            return call.proceed();
        }
        String election = electionOf(only);
        if (isIn(election)) {
            return call.proceed();
        }
        for (EntryCheck check : checks.get()) {
            check.beforeEntering(election);
        }
        Optional<TermWork.Run> run = candidacies.get().begin(election);
        return run.isPresent() ? runIn(run.get(), call) : skipped(method, election);
    }

    /** A method that another one of the same term calls belongs to it. */
    private boolean isIn(String election) {
        return current.leadership()
                .filter(leadership -> leadership.term().election().value().equals(election) && leadership.holds())
                .isPresent();
    }

    private @Nullable Object runIn(TermWork.Run run, MethodInvocation call) throws Throwable {
        Optional<Leadership> before = current.enter(run.leadership());
        try {
            return call.proceed();
        } catch (Throwable thrown) {
            stale(thrown).ifPresent(run.leadership()::reportStale);
            throw thrown;
        } finally {
            current.leave(before);
            run.end();
        }
    }

    /** What a sink said, however deep Spring has wrapped it. */
    private static Optional<StaleTokenException> stale(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof StaleTokenException found) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private @Nullable Object skipped(Method method, String election) {
        Class<?> result = method.getReturnType();
        if (result == void.class || result == Void.class) {
            return null;
        }
        if (result == Optional.class) {
            return Optional.empty();
        }
        if (result == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (result == OptionalLong.class) {
            return OptionalLong.empty();
        }
        if (result == OptionalDouble.class) {
            return OptionalDouble.empty();
        }
        throw new NotLeaderException(method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + " runs on the leader of " + election + " alone, and " + whoLeads(election));
    }

    private String whoLeads(String election) {
        Candidacy candidacy = candidacies.get().candidacies().get(election);
        return Optional.ofNullable(candidacy)
                .flatMap(one -> one.health().leader())
                .map(Candidate::name)
                .map(name -> name + " leads, as last told")
                .orElse("nobody leads, as last told");
    }
}
