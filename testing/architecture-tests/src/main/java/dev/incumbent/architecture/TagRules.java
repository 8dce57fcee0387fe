package dev.incumbent.architecture;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Which tests bear a tag, and which tags there are: an untagged test answers the same twice, and so is part of the gate. */
final class TagRules {
    private static final List<String> TAGS = List.of("realtime", "trial", "release", "virtual", "patient");

    /** Says where a test comes from, and nothing about time. */
    private static final String ORIGIN = "field";

    private static final String TAG = "org.junit.jupiter.api.Tag";

    /** Every annotation of JUnit that makes a method a test bears this one. */
    private static final String TESTABLE = "org.junit.platform.commons.annotation.Testable";

    private static final String COORDINATOR = "dev.incumbent.coordinator.Coordinator";
    private static final String PROXY = "dev.incumbent.servers.TcpProxy";
    private static final String SERVERS = "dev.incumbent.servers";

    /** Opens a wire for each client of a rig, and cuts none. */
    private static final String WIRES = "dev.incumbent.adverse.Wires";

    private static final Pattern WIRE_FAULT = Pattern.compile("cut|slow|slowAnswers|hold|reset|loseNextAnswer|leadTo");

    private TagRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("a test that meets real time says so by a tag", TagRules::untagged),
                new Rule("a tag is one of those that docs/testing.md describes", TagRules::unknownTags));
    }

    private static List<String> untagged(House house) {
        return stream(house.testClasses())
                .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT) && !isTagged(type))
                .flatMap(type -> untagged(house, type))
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<String> untagged(House house, JavaClass type) {
        Reach reach = new Reach(house, type);
        String name = house.moduleOf(type).orElseThrow() + "/" + shortName(type) + ".";
        return type.getAllMethods().stream()
                .filter(TagRules::isTest)
                .filter(test -> !saysWhenItRuns(test) && !isTagged(test.getOwner()))
                .flatMap(test ->
                        realTime(reach.of(test, owner -> owner.getName().equals(PROXY)))
                                .map(what -> name + test.getName() + " reaches " + what)
                                .stream());
    }

    private static boolean isTest(JavaMethod method) {
        return method.isMetaAnnotatedWith(TESTABLE) && !method.getModifiers().contains(JavaModifier.ABSTRACT);
    }

    /** Does the class, one that it extends or one around it bear a tag? */
    private static boolean isTagged(JavaClass type) {
        return Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
                        .anyMatch(TagRules::saysWhenItRuns)
                || type.getEnclosingClass().filter(TagRules::isTagged).isPresent();
    }

    private static boolean saysWhenItRuns(HasAnnotations<?> tagged) {
        return tags(tagged).stream().anyMatch(tag -> !tag.equals(ORIGIN));
    }

    /** What of real time is among these calls, and which tags fit it. */
    private static Optional<String> realTime(Set<JavaCodeUnitAccess<?>> calls) {
        Set<String> faults = named(calls.stream().filter(call -> isWireFault(call) || isFreeze(call)));
        Set<String> times = named(calls.stream().filter(TagRules::makesRealTime));
        Set<String> leases = named(calls.stream().filter(TagRules::asksForLease));
        if (!faults.isEmpty()) {
            return Optional.of(String.join(", ", faults) + ": tag it realtime, or patient if it waits for nothing");
        }
        if (!times.isEmpty() && !leases.isEmpty()) {
            return Optional.of(String.join(", ", times) + " and " + String.join(", ", leases)
                    + ": tag it realtime, or patient if its lease is at least a minute and it waits for nothing");
        }
        return Optional.empty();
    }

    private static boolean isWireFault(JavaCodeUnitAccess<?> call) {
        String name = call.getTarget().getName();
        return call.getTargetOwner().getName().equals(PROXY)
                && (WIRE_FAULT.matcher(name).matches()
                        || (name.equals("to")
                                && !call.getOriginOwner().getName().equals(WIRES)));
    }

    private static boolean isFreeze(JavaCodeUnitAccess<?> call) {
        return call.getTargetOwner().getPackageName().equals(SERVERS)
                && call.getTarget().getName().equals("freeze");
    }

    /** Servers are waited for on a timeline of their own, with or without leases. */
    private static boolean makesRealTime(JavaCodeUnitAccess<?> call) {
        return call.getTargetOwner().getName().equals("dev.incumbent.time.SystemTimeline")
                && call.getTarget().getName().equals("<init>")
                && !call.getOriginOwner().getPackageName().equals(SERVERS);
    }

    private static boolean asksForLease(JavaCodeUnitAccess<?> call) {
        String name = call.getTarget().getName();
        return call.getTargetOwner().getName().equals("dev.incumbent.model.Timing")
                ? name.equals("ofLease") || name.equals("<init>")
                : name.equals("grant") && call.getTargetOwner().isAssignableTo(COORDINATOR);
    }

    /** As a reader knows them, each once. */
    private static Set<String> named(Stream<JavaCodeUnitAccess<?>> calls) {
        return calls.map(call -> shortName(call.getTargetOwner()) + "."
                        + call.getTarget().getName())
                .map(name -> name.replace(".<init>", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<String> unknownTags(House house) {
        return Stream.concat(stream(house.classes()), stream(house.testClasses()))
                .flatMap(type -> Stream.concat(
                        unknown(shortName(type), type),
                        type.getMethods().stream()
                                .flatMap(method -> unknown(shortName(type) + "." + method.getName(), method))))
                .toList();
    }

    private static Stream<String> unknown(String name, HasAnnotations<?> tagged) {
        return tags(tagged).stream()
                .filter(tag -> !TAGS.contains(tag) && !tag.equals(ORIGIN))
                .map(tag -> name + " bears the tag " + tag);
    }

    /** Also those that are repeated, which the compiler puts into one annotation. */
    private static List<String> tags(HasAnnotations<?> tagged) {
        List<String> tags = new ArrayList<>();
        for (JavaAnnotation<?> annotation : tagged.getAnnotations()) {
            String name = annotation.getRawType().getName();
            if (name.equals(TAG)) {
                tags.add((String) annotation.get("value").orElseThrow());
            } else if (name.equals(TAG + "s")) {
                for (Object each : (Object[]) annotation.get("value").orElseThrow()) {
                    tags.add((String) ((JavaAnnotation<?>) each).get("value").orElseThrow());
                }
            }
        }
        return tags;
    }

    private static String shortName(JavaClass type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static Stream<JavaClass> stream(Iterable<JavaClass> classes) {
        return StreamSupport.stream(classes.spliterator(), false);
    }
}
