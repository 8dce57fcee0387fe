/** Floor 2: the contract of fences, as tests that every provider passes. */
module dev.incumbent.fence.tck {
    requires transitive dev.incumbent.fence;
    requires transitive org.junit.jupiter.api;
    requires transitive org.assertj.core;

    exports dev.incumbent.fence.tck;
}
