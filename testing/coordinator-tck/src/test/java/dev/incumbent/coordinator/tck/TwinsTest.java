package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract's tests are software, too: each broken twin of the store in memory is refused by the tests that name what it breaks. */
class TwinsTest {
    @Test
    void theHonestCoordinatorPasses() {
        Run run = run((honest, time) -> honest, List.of(selectClass(DressedContract.class)));

        assertThat(run.refusals()).isEmpty();
        assertThat(run.tests()).hasSizeGreaterThan(60);
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.MethodSource("twins")
    void aTwinIsRefusedByTheTestsThatNameWhatItBreaks(Twin twin) {
        List<DiscoverySelector> sections = twin.refusedBy().stream()
                .map(test -> test.substring(0, test.indexOf('.')))
                .distinct()
                .map(TwinsTest::section)
                .toList();

        Run run = run(twin.dress().get(), sections);

        assertThat(run.refusals()).as(twin.lie()).containsAll(twin.refusedBy());
    }

    @Test
    void everyTestOfTheContractRefusesSomeTwin() {
        List<DiscoverySelector> whole = List.of(selectClass(DressedContract.class));
        Set<String> tests = new TreeSet<>();
        Set<String> refusals = new TreeSet<>();

        twins().forEach(twin -> {
            Run run = run(twin.dress().get(), whole);
            tests.addAll(run.tests());
            refusals.addAll(run.refusals());
        });

        assertThat(refusals).isEqualTo(tests);
    }

    static Stream<Twin> twins() {
        return Stream.of(
                        LeaseTwins.all(),
                        RecordTwins.all(),
                        CandidateTwins.all(),
                        WatchTwins.all(),
                        DateTwins.all(),
                        OutcomeTwins.all(),
                        RecoveryTwins.all(),
                        RepetitionTwins.all(),
                        DeadlineTwins.all())
                .flatMap(all -> all);
    }

    /** What ran: each test by the names of its section and its method. */
    private record Run(Set<String> tests, Set<String> refusals) {}

    private static Run run(MemoryRig.Dress dress, List<DiscoverySelector> selectors) {
        Run run = new Run(new TreeSet<>(), new TreeSet<>());
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                nameOf(test).ifPresent(name -> {
                    run.tests().add(name);
                    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                        run.refusals().add(name);
                    }
                });
            }
        };
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
        return run;
    }

    private static DiscoverySelector section(String name) {
        Class<?> nested = Stream.of(CoordinatorContract.class.getDeclaredClasses())
                .filter(it -> it.getSimpleName().equals(name))
                .findAny()
                .orElseThrow();
        return selectNestedClass(List.of(DressedContract.class), nested);
    }

    private static Optional<String> nameOf(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(method -> method.getClassName()
                                .substring(method.getClassName().lastIndexOf('$') + 1) + "." + method.getMethodName());
    }
}
