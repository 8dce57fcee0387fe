package dev.incumbent.architecture;

import static java.util.Comparator.comparingInt;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The calls and method references that the tests of one class may come to: from the test, its class's constructors and set-up, through the test classes of its
 * module and the main classes of {@code testing}. A call of an interface's method is not followed to the classes that implement it.
 */
final class Reach {
    private static final String JUPITER = "org.junit.jupiter.api.";
    private static final List<String> AROUND_TESTS = List.of("BeforeAll", "BeforeEach", "AfterEach", "AfterAll");

    private final House house;
    private final JavaClass type;
    private final String module;

    Reach(House house, JavaClass type) {
        this.house = house;
        this.type = type;
        this.module = house.moduleOf(type).orElseThrow();
    }

    /** All calls that a test of the class may come to, nearest first. Calls of a leaf are among them; what a leaf itself calls is not. */
    Set<JavaCodeUnitAccess<?>> of(JavaMethod test, Predicate<JavaClass> leaf) {
        Set<JavaCodeUnitAccess<?>> reached = new LinkedHashSet<>();
        Deque<JavaCodeUnit> waiting = new ArrayDeque<>(List.of(test));
        aroundTests(type).forEach(waiting::add);
        Set<JavaCodeUnit> seen = new LinkedHashSet<>(waiting);
        while (!waiting.isEmpty()) {
            for (JavaCodeUnitAccess<?> access : accesses(waiting.remove())) {
                reached.add(access);
                called(access)
                        .filter(unit -> isFollowed(unit.getOwner()) && !leaf.test(unit.getOwner()))
                        .filter(seen::add)
                        .ifPresent(waiting::add);
            }
        }
        return reached;
    }

    /** What runs before and after each test of a class: also that of the classes around it, if it is nested. */
    private static Stream<JavaCodeUnit> aroundTests(JavaClass type) {
        List<JavaCodeUnit> units = new ArrayList<>(type.getConstructors());
        type.getAllMethods().stream().filter(Reach::isAroundTests).forEach(units::add);
        Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
                .flatMap(one -> one.getStaticInitializer().stream())
                .forEach(units::add);
        Stream<JavaCodeUnit> outer =
                type.isInnerClass() ? type.getEnclosingClass().stream().flatMap(Reach::aroundTests) : Stream.empty();
        return Stream.concat(units.stream(), outer);
    }

    private static boolean isAroundTests(JavaMethod method) {
        return AROUND_TESTS.stream().anyMatch(name -> method.isAnnotatedWith(JUPITER + name));
    }

    /** In the order of the lines. What a lambda calls counts as called by the method around it. */
    private static List<JavaCodeUnitAccess<?>> accesses(JavaCodeUnit unit) {
        return Stream.<JavaCodeUnitAccess<?>>concat(
                        unit.getCallsFromSelf().stream(), unit.getCodeUnitReferencesFromSelf().stream())
                .sorted(comparingInt(JavaCodeUnitAccess<?>::getLineNumber))
                .toList();
    }

    /** The method or constructor that is called; of a method that the class of the tests overrides, its own. */
    private Optional<JavaCodeUnit> called(JavaCodeUnitAccess<?> access) {
        Optional<JavaCodeUnit> declared = access.getTarget().resolveMember().map(JavaCodeUnit.class::cast);
        return declared.map(unit -> unit instanceof JavaMethod method ? overriding(method) : unit);
    }

    private JavaMethod overriding(JavaMethod method) {
        if (!type.isAssignableTo(method.getOwner().getName())) {
            return method;
        }
        return Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
                .flatMap(one -> one.getMethods().stream())
                .filter(own -> signature(own).equals(signature(method)))
                .findFirst()
                .orElse(method);
    }

    private static String signature(JavaMember member) {
        return member.getFullName().substring(member.getOwner().getName().length());
    }

    private boolean isFollowed(JavaClass owner) {
        Optional<String> home = house.moduleOf(owner);
        return home.isPresent()
                && (house.testClasses().contain(owner.getName())
                        ? home.get().equals(module)
                        : home.get().startsWith("testing/"));
    }
}
