package dev.incumbent.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Who may import whom. */
final class FloorRules {
    private FloorRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("every module was compiled before it is judged", House::uncompiled),
                new Rule("every module has its floor in the table", FloorRules::modulesWithoutFloor),
                new Rule("a folder stands for a floor or a side", FloorRules::misplaced),
                new Rule("the root lists these tests last, so that all is compiled when they run", FloorRules::notLast),
                new Rule("a floor imports only floors beneath it", FloorRules::upwardImports),
                new Rule("floors 0 to 2 import no third party but wire its JSON", FloorRules::thirdParties),
                new Rule("floors 0 to 2 carry a module descriptor", FloorRules::missingDescriptors),
                new Rule("no cycle of packages", FloorRules::cycles));
    }

    private static List<String> modulesWithoutFloor(House house) {
        return house.modules().stream()
                .filter(module -> Floors.of(module).isEmpty())
                .map(module -> "module " + module + " has no floor in Floors")
                .toList();
    }

    private static List<String> misplaced(House house) {
        List<String> found = new ArrayList<>();
        for (String module : house.modules()) {
            if (!Floors.liesWhereItStands(module)) {
                found.add("module " + module + " stands on another floor than its folder");
            }
        }
        house.mainSources()
                .filter(source -> !source.packageName().isEmpty() && !isOnItsSide(source))
                .forEach(source -> found.add(source.packageName() + " does not belong in " + source.module()));
        return found;
    }

    /** What is a store's coordinator lies beneath {@code coordinators}, what is its fence beneath {@code fences}, and nothing else does. */
    private static boolean isOnItsSide(Source source) {
        return switch (Floors.folder(source.module())) {
            case "coordinators" -> source.packageName().startsWith("dev.incumbent.coordinator.");
            case "fences" -> source.packageName().startsWith("dev.incumbent.fence.");
            default -> true;
        };
    }

    private static List<String> notLast(House house) {
        String last = house.modules().get(house.modules().size() - 1);
        return last.equals("testing/architecture-tests") ? List.of() : List.of("the last module is " + last);
    }

    private static List<String> upwardImports(House house) {
        return imports(house, (type, target) -> {
            String from = house.moduleOf(type).orElseThrow();
            Optional<String> to = house.moduleOf(target);
            return to.isPresent() && !to.get().equals(from) && floor(to.get()) >= floor(from);
        });
    }

    private static List<String> thirdParties(House house) {
        return imports(
                house,
                (type, target) -> Floors.isBare(house.moduleOf(type).orElseThrow())
                        && house.moduleOf(target).isEmpty()
                        && !isJsonOfTheWire(house.moduleOf(type).orElseThrow(), target)
                        && !isOfTheJdk(target.getBaseComponentType()));
    }

    /** Jackson's streaming core: its jar is merged into that of {@code wire}, under another name. */
    private static boolean isJsonOfTheWire(String module, JavaClass target) {
        return module.equals("core/wire") && target.getPackageName().startsWith("com.fasterxml.jackson.core");
    }

    /** Annotations that the compiler alone reads leave a name in the class and need nothing at run time; they are third parties all the same. */
    private static boolean isOfTheJdk(JavaClass type) {
        return type.isPrimitive()
                || type.getPackageName().matches("java(\\..*)?|javax\\.net(\\..*)?|sun\\.misc|jdk\\.net");
    }

    private static List<String> missingDescriptors(House house) {
        return house.modules().stream()
                .filter(Floors::isBare)
                .filter(module -> !Files.exists(house.root().resolve(module).resolve("src/main/java/module-info.java")))
                .map(module -> "module " + module + " has no module-info.java")
                .toList();
    }

    private static List<String> cycles(House house) {
        return SlicesRuleDefinition.slices()
                .assignedFrom(new ByPackage())
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true)
                .evaluate(house.classes())
                .getFailureReport()
                .getDetails();
    }

    private static List<String> imports(House house, BiPredicate<JavaClass, JavaClass> forbidden) {
        List<String> found = new ArrayList<>();
        for (JavaClass type : house.classes()) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (forbidden.test(type, dependency.getTargetClass())) {
                    found.add(dependency.getDescription());
                }
            }
        }
        return found;
    }

    private static int floor(String module) {
        return Floors.of(module).orElse(Floors.AROUND);
    }

    /** Each package of the house is a slice; an {@code internal} one is the back of the room that it lies in, and one slice with it. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("dev.incumbent")
                    ? SliceIdentifier.of(room(type.getPackageName()))
                    : SliceIdentifier.ignore();
        }

        private static String room(String name) {
            int back = name.indexOf(".internal");
            return back < 0 ? name : name.substring(0, back);
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
