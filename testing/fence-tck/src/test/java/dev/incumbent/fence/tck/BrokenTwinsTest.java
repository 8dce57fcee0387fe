package dev.incumbent.fence.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract is a check that can fail: each twin of the memory sink breaks one of its sentences, and each sentence is broken by a twin. */
class BrokenTwinsTest {
    @ParameterizedTest
    @EnumSource
    void theContractRefusesTheTwinBySentence(Flaw flaw) {
        Run run = run(selectMethod(TwinSentences.class, flaw.sentence()), Optional.of(flaw));

        assertThat(run.failed()).containsExactly(flaw.sentence());
    }

    @Test
    void aTwinWithoutAFlawKeepsEverySentenceAndEachIsBrokenByAnother() {
        Set<String> broken = Arrays.stream(Flaw.values()).map(Flaw::sentence).collect(Collectors.toSet());

        Run run = run(selectClass(TwinSentences.class), Optional.empty());

        assertThat(run.failed()).isEmpty();
        assertThat(run.passed()).containsExactlyInAnyOrderElementsOf(broken);
    }

    private record Run(Set<String> passed, Set<String> failed) {}

    private static Run run(DiscoverySelector selected, Optional<Flaw> flaw) {
        var run = new Run(new TreeSet<>(), new TreeSet<>());
        var request = LauncherDiscoveryRequestBuilder.request().selectors(selected);
        flaw.ifPresent(named -> request.configurationParameter(TwinSentences.FLAW, named.name()));
        LauncherFactory.create().execute(request.build(), new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                test.getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(source -> ((MethodSource) source).getMethodName())
                        .ifPresent((passed ? run.passed() : run.failed())::add);
            }
        });
        return run;
    }
}
