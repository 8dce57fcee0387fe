/** Floor 1: the sink's side. A sink imports this and nothing above it. */
module dev.incumbent.fence {
    requires transitive dev.incumbent.protocol;

    exports dev.incumbent.fence;

    uses dev.incumbent.fence.SinkProvider;
}
