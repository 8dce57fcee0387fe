package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract's tests are software, too: each broken twin of the store in memory is refused by the tests that name what it breaks. */
class TwinsTest {
    @Test
    void theHonestCoordinatorPasses() {
        TestExecutionSummary summary = run((honest, time) -> honest, List.of(selectClass(DressedContract.class)));

        assertThat(refusals(summary)).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isGreaterThan(100).isEqualTo(summary.getTestsFoundCount());
    }

    @ParameterizedTest
    @MethodSource("twins")
    void aTwinIsRefusedByTheTestsThatNameWhatItBreaks(Twin twin) {
        List<DiscoverySelector> sections = twin.refusedBy().stream()
                .map(test -> test.substring(0, test.indexOf('.')))
                .distinct()
                .map(TwinsTest::section)
                .toList();

        TestExecutionSummary summary = run(twin.dress().get(), sections);

        assertThat(refusals(summary)).as(twin.lie()).containsAll(twin.refusedBy());
    }

    static Stream<Twin> twins() {
        return Stream.of(LeaseTwins.all(), RecordTwins.all(), WatchTwins.all(), OutcomeTwins.all())
                .flatMap(all -> all);
    }

    private static TestExecutionSummary run(MemoryRig.Dress dress, List<? extends DiscoverySelector> selectors) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        DressedContract.DRESS.set(dress);
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(selectors)
                                    .build(),
                            listener);
        } finally {
            DressedContract.DRESS.remove();
        }
        return listener.getSummary();
    }

    private static DiscoverySelector section(String name) {
        Class<?> nested = Stream.of(CoordinatorContract.class.getDeclaredClasses())
                .filter(it -> it.getSimpleName().equals(name))
                .findAny()
                .orElseThrow();
        return selectNestedClass(List.of(DressedContract.class), nested);
    }

    private static Set<String> refusals(TestExecutionSummary summary) {
        Set<String> tests = new TreeSet<>();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            failure.getTestIdentifier()
                    .getSource()
                    .filter(org.junit.platform.engine.support.descriptor.MethodSource.class::isInstance)
                    .map(org.junit.platform.engine.support.descriptor.MethodSource.class::cast)
                    .ifPresent(test -> tests.add(simpleName(test.getClassName()) + "." + test.getMethodName()));
        }
        return tests;
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('$') + 1);
    }
}
