package dev.incumbent.coordinator.redis;

import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/** One command to a server. {@code writes}: may it change what others see? */
record Request(Command command, List<String> arguments, boolean writes) {
    static Request of(Command command, String... arguments) {
        return new Request(command, List.of(arguments), false);
    }

    /** A script that only reads; what it buries on its way was dead. */
    static Request reading(Script script, List<String> keys, List<String> arguments) {
        return new Request(Command.EVAL, eval(script, keys, arguments), false);
    }

    static Request writing(Script script, List<String> keys, List<String> arguments) {
        return new Request(Command.EVAL, eval(script, keys, arguments), true);
    }

    private static List<String> eval(Script script, List<String> keys, List<String> arguments) {
        List<String> all = new ArrayList<>(keys.size() + arguments.size() + 2);
        all.add(script.text());
        all.add(Integer.toString(keys.size()));
        all.addAll(keys);
        all.addAll(arguments);
        return all;
    }
}
