package dev.incumbent.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.NodeList;

/** A house to be judged: the modules that its root pom lists, their sources and their classes. */
final class House {
    private static final String MAIN = "classes";
    private static final String TESTS = "test-classes";

    private final Path root;
    private final List<String> modules;
    private final Map<String, String> moduleOfClass = new HashMap<>();
    private final JavaClasses classes;
    private final JavaClasses testClasses;
    private final List<Source> sources = new ArrayList<>();

    /** Reads the house at a folder. Every module that has sources must have been compiled. */
    House(Path root) {
        this.root = root;
        this.modules = modulesOf(root.resolve("pom.xml"));
        for (String module : modules) {
            sources.addAll(Source.beneath(module, root.resolve(module)));
        }
        JavaClasses all = imported();
        this.classes = all.that(DescribedPredicate.describe("are main", type -> isIn(type, MAIN)));
        this.testClasses = all.that(DescribedPredicate.describe("are of tests", type -> isIn(type, TESTS)));
        all.forEach(type -> moduleOfClass.put(type.getName(), place(type).replaceFirst("/target/.*", "")));
    }

    Path root() {
        return root;
    }

    /** By folder, in the order of the pom. */
    List<String> modules() {
        return modules;
    }

    /** All classes of main sources; what JMH generates has none. */
    JavaClasses classes() {
        return classes;
    }

    /** All classes of tests. */
    JavaClasses testClasses() {
        return testClasses;
    }

    List<Source> sources() {
        return sources;
    }

    Stream<Source> mainSources() {
        return sources.stream().filter(Source::isMain);
    }

    /** The module of a class of main sources or of tests; empty for the JDK's and for third parties'. */
    Optional<String> moduleOf(JavaClass type) {
        return Optional.ofNullable(moduleOfClass.get(type.getBaseComponentType().getName()));
    }

    /** Modules whose sources were never compiled: nothing could be said of them. */
    List<String> uncompiled() {
        return modules.stream()
                .filter(module ->
                        mainSources().anyMatch(source -> source.module().equals(module) && !source.isInfo()))
                .filter(module -> !Files.isDirectory(root.resolve(module).resolve("target/classes")))
                .toList();
    }

    /** The files beneath a folder, in order; none where it is absent. */
    static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** All at once, so that a test's calls lead to the methods that they call. */
    private JavaClasses imported() {
        List<Path> folders = modules.stream()
                .flatMap(module -> Stream.of(MAIN, TESTS)
                        .map(kind -> root.resolve(module).resolve("target").resolve(kind)))
                .filter(Files::isDirectory)
                .toList();
        return new ClassFileImporter()
                .withImportOption(location -> !location.contains("/jmh_generated/"))
                .importPaths(folders);
    }

    private boolean isIn(JavaClass type, String kind) {
        return place(type).contains("/target/" + kind + "/");
    }

    /** Its class file, from the root. */
    private String place(JavaClass type) {
        return root.relativize(Path.of(type.getSource().orElseThrow().getUri())).toString();
    }

    private static List<String> modulesOf(Path pom) {
        try {
            NodeList found = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getElementsByTagName("module");
            List<String> modules = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                modules.add(found.item(i).getTextContent().strip());
            }
            return List.copyOf(modules);
        } catch (Exception unreadable) {
            throw new IllegalStateException(pom + " cannot be read", unreadable);
        }
    }
}
