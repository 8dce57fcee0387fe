package dev.incumbent.architecture;

import java.util.List;
import java.util.function.Function;

/** One rule of the house: its sentence, and how the places that break it are found. */
record Rule(String sentence, Function<House, List<String>> violations) {
    /** Every rule there is. */
    static List<Rule> all() {
        return java.util.stream.Stream.of(
                        FloorRules.all(),
                        ClassRules.all(),
                        OrderRules.all(),
                        SourceRules.all(),
                        TagRules.all(),
                        RepositoryRules.all(),
                        PageRules.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return sentence;
    }
}
