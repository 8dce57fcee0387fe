/** Makes malformed requests from a seed, sends them, and measures what they leave behind. For tests. */
module dev.incumbent.fuzz {
    exports dev.incumbent.fuzz;
}
