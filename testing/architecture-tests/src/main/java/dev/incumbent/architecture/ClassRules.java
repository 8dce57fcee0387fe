package dev.incumbent.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What compiled classes must not call, hold or be named. */
final class ClassRules {
    private static final String TIMELINE = "dev.incumbent.time.SystemTimeline";

    private static final Pattern CLOCK = Pattern.compile("java\\.lang\\.System\\.(nanoTime|currentTimeMillis)"
            + "|java\\.time\\.[A-Za-z.]+\\.now"
            + "|java\\.time\\.(Clock\\.(system|tick).*|InstantSource\\.system)"
            + "|java\\.util\\.Calendar\\.getInstance");

    /** Programs as users write them. */
    private static final String EXAMPLES = "dev.incumbent.examples";

    private static final Pattern SLEEP =
            Pattern.compile("java\\.lang\\.Thread\\.sleep|java\\.util\\.concurrent\\.TimeUnit\\.sleep");

    private static final Pattern BANNED_NAME =
            Pattern.compile(".*(Util|Utils|Helper|Manager|Impl)|(Abstract|Base)([A-Z].*)?");

    private static final Pattern PURE = Pattern.compile(
            "java\\.lang(\\.(annotation|invoke|runtime))?"
                    + "|java\\.util(\\.(function|stream|regex))?|java\\.time(\\..*)?|java\\.math|dev\\.incumbent\\.(model|outcome|protocol|peers)(\\..*)?");

    private static final Pattern IMPURE =
            Pattern.compile("java\\.lang\\.(Thread.*|Runtime|Process.*|InheritableThreadLocal)"
                    + "|java\\.util\\.(Random|SplittableRandom|Timer|TimerTask|UUID|Scanner|Formatter|ServiceLoader)");

    private static final Pattern MUTABLE = Pattern.compile("java\\.util\\.concurrent\\.(atomic|locks)\\..*"
            + "|java\\.util\\.concurrent\\.(Concurrent|CopyOnWrite).*|.*(Executor|ExecutorService|Queue|Deque)"
            + "|java\\.util\\.(Hash|LinkedHash|Tree|Identity|Weak|Enum)(Map|Set|HashMap)|java\\.util\\.(ArrayList|Random)"
            + "|java\\.lang\\.(StringBuilder|ThreadLocal)");

    /**
     * State that has nowhere else to be. H2 calls what a database's aliases name as static methods, in the one JVM of its engine. A JDBC driver makes a factory of sockets by the name of
     * its class, anew for each connection, and gives it nothing. The kernel
     * drops a process's lock on a file once any part of the process closes that file: so all parts must know which are locked.
     */
    private static final Set<String> STATIC_OF_NECESSITY = Set.of(
            "dev.incumbent.coordinator.peers.PeerDisk.TAKEN",
            "dev.incumbent.fence.sql.H2Turnstile.ALL",
            "dev.incumbent.sql.SharedHostAddresses.HOSTS");

    private ClassRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("the clock is read in SystemTimeline alone", house -> calls(house.classes(), CLOCK)),
                new Rule("main sources sleep in SystemTimeline alone", house -> calls(house.classes(), SLEEP)),
                new Rule("no test sleeps", house -> calls(house.testClasses(), SLEEP)),
                new Rule("a store's JDBC driver is made, and not looked up", ClassRules::driversLookedUp),
                new Rule("the protocol is pure: java.util without concurrent, java.time", ClassRules::impurities),
                new Rule("no class has a name that says nothing", ClassRules::bannedNames),
                new Rule("no static holds state", ClassRules::staticState));
    }

    private static List<String> calls(JavaClasses classes, Pattern banned) {
        return stream(classes)
                .filter(type -> !type.getName().startsWith(TIMELINE))
                .filter(type -> banned != SLEEP || !type.getPackageName().equals(EXAMPLES))
                .flatMap(type -> Stream.concat(
                        type.getCodeUnitCallsFromSelf().stream(), type.getCodeUnitReferencesFromSelf().stream()))
                .filter(access -> banned.matcher(called(access)).matches() || makesTheDateOfNow(access, banned))
                .map(JavaCodeUnitAccess::getDescription)
                .toList();
    }

    /** The driver manager knows those alone that are registered, and shows those alone that its caller's class loader sees: in a container often none. */
    private static List<String> driversLookedUp(House house) {
        return stream(house.classes())
                .filter(type -> type.getPackageName().matches("dev\\.incumbent\\.(coordinator|fence|jdbc|sql)(\\..*)?"))
                .flatMap(type -> type.getCodeUnitCallsFromSelf().stream())
                .filter(access -> called(access).startsWith("java.sql.DriverManager."))
                .map(JavaCodeUnitAccess::getDescription)
                .toList();
    }

    private static String called(JavaCodeUnitAccess<?> access) {
        return access.getTargetOwner().getName() + "." + access.getTarget().getName();
    }

    private static boolean makesTheDateOfNow(JavaCodeUnitAccess<?> access, Pattern banned) {
        return banned == CLOCK
                && called(access).equals("java.util.Date.<init>")
                && access.getTarget() instanceof CodeUnitCallTarget target
                && target.getRawParameterTypes().isEmpty();
    }

    private static List<String> impurities(House house) {
        Predicate<JavaClass> impure = target -> !target.isPrimitive()
                && (!PURE.matcher(target.getPackageName()).matches()
                        || IMPURE.matcher(target.getName()).matches());
        List<String> found = new ArrayList<>();
        for (JavaClass type : house.classes()) {
            if (!type.getPackageName().matches("dev\\.incumbent\\.(model|outcome|protocol|peers)(\\..*)?")) {
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (impure.test(dependency.getTargetClass().getBaseComponentType())) {
                    found.add(dependency.getDescription());
                }
            }
        }
        return found;
    }

    private static List<String> bannedNames(House house) {
        return Stream.concat(stream(house.classes()), stream(house.testClasses()))
                .filter(type -> BANNED_NAME.matcher(type.getSimpleName()).matches())
                .map(type -> "class " + type.getName())
                .toList();
    }

    private static List<String> staticState(House house) {
        return stream(house.classes())
                .filter(type -> !type.getName().startsWith("dev.incumbent.benchmarks"))
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC)
                        && !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .filter(ClassRules::isMutable)
                .filter(field -> !STATIC_OF_NECESSITY.contains(field.getFullName()))
                .map(field -> "static " + field.getFullName())
                .toList();
    }

    private static boolean isMutable(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.FINAL)
                || MUTABLE.matcher(field.getRawType().getName()).matches();
    }

    private static Stream<JavaClass> stream(JavaClasses classes) {
        return StreamSupport.stream(classes.spliterator(), false);
    }
}
