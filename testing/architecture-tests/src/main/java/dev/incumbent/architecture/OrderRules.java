package dev.incumbent.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One seed, one history: what is iterated over has an order that hangs on no hash, nor on the salt that each JVM draws for its immutable sets and maps. So these
 * are not used at all where iteration may reach an effect.
 */
final class OrderRules {
    private static final Pattern REPLAYED = Pattern.compile(
            "dev\\.incumbent\\.(model|outcome|protocol|peers|internal|lab|simulation|coordinator\\.memory)(\\..*)?");

    private static final Pattern UNORDERED = Pattern.compile(
            "java\\.util\\.(HashMap|HashSet|IdentityHashMap|WeakHashMap)\\.<init>"
                    + "|java\\.util\\.concurrent\\.ConcurrentHashMap\\.(<init>|newKeySet)"
                    + "|java\\.util\\.(Set|Map)\\.(copyOf|of|ofEntries)"
                    + "|java\\.util\\.stream\\.Collectors\\.(toSet|toMap|toUnmodifiableSet|toUnmodifiableMap|groupingBy|partitioningBy)");

    /** Where one is used nevertheless, and why it reaches no effect of a world. */
    private static final Map<String, String> ALLOWED =
            Map.of("dev.incumbent.internal.Threads", "the platform of real threads; never part of a world");

    private OrderRules() {}

    static List<Rule> all() {
        return List.of(new Rule(
                "what a world replays iterates in an order that no hash decides", OrderRules::unorderedCollections));
    }

    private static List<String> unorderedCollections(House house) {
        return StreamSupport.stream(house.classes().spliterator(), false)
                .filter(type -> REPLAYED.matcher(type.getPackageName()).matches())
                .filter(type -> !ALLOWED.containsKey(outermost(type)))
                .flatMap(type -> Stream.concat(
                        type.getCodeUnitCallsFromSelf().stream(), type.getCodeUnitReferencesFromSelf().stream()))
                .filter(OrderRules::isUnordered)
                .map(JavaCodeUnitAccess::getDescription)
                .toList();
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceAll("\\$.*", "");
    }

    private static boolean isUnordered(JavaCodeUnitAccess<?> access) {
        String called =
                access.getTargetOwner().getName() + "." + access.getTarget().getName();
        return UNORDERED.matcher(called).matches() && !holdsOneAtMost(access, called);
    }

    /** A set or map of one, or of none, has one order. */
    private static boolean holdsOneAtMost(JavaCodeUnitAccess<?> access, String called) {
        int most = called.equals("java.util.Set.of") ? 1 : called.equals("java.util.Map.of") ? 2 : -1;
        return access.getTarget() instanceof CodeUnitCallTarget target
                && target.getRawParameterTypes().size() <= most
                && target.getRawParameterTypes().stream().noneMatch(JavaClass::isArray);
    }
}
