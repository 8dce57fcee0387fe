/** Floor 0: the vocabulary and the pure protocol machines. Imports nothing but {@code java.base}. */
module dev.incumbent.protocol {
    exports dev.incumbent.model;
    exports dev.incumbent.outcome;
    exports dev.incumbent.protocol;
    exports dev.incumbent.protocol.operator;
}
