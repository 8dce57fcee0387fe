package dev.incumbent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This house keeps every rule. Reads the other modules' folders, so the whole reactor is compiled first: {@code mvn test}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HouseRulesTest {
    private House house;

    @BeforeAll
    void readTheHouse() {
        house = new House(Path.of("..", "..").toAbsolutePath().normalize());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void theHouseKeepsTheRule(Rule rule) {
        assertThat(rule.violations().apply(house)).as(rule.sentence()).isEmpty();
    }

    static List<Rule> rules() {
        return Rule.all();
    }
}
