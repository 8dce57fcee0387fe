package dev.incumbent.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreePathScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/** What sources look like: sizes, Javadoc, and the words that leave no trace in a class. */
final class SourceRules {
    static final int LONGEST_FILE = 500;
    static final int LONGEST_METHOD = 70;
    static final int MOST_PARAMETERS = 5;

    private SourceRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule("no file has more than " + LONGEST_FILE + " lines", SourceRules::longFiles),
                new Rule(
                        "no method has more than " + LONGEST_METHOD + " lines",
                        house -> scanned(house.sources().stream(), LongMethods::new)),
                new Rule(
                        "no method takes more than " + MOST_PARAMETERS + " parameters; a record's constructor may",
                        house -> scanned(house.sources().stream(), ManyParameters::new)),
                new Rule(
                        "every public type has Javadoc", house -> scanned(house.mainSources(), UndocumentedTypes::new)),
                new Rule(
                        "the protocol knows no volatile and no synchronized",
                        house -> scanned(house.mainSources().filter(SourceRules::isProtocol), Concurrency::new)),
                new Rule("every package says what lives in it", SourceRules::packagesWithoutInfo));
    }

    private static List<String> longFiles(House house) {
        return house.sources().stream()
                .filter(source -> source.lines() > LONGEST_FILE)
                .map(source -> source.module() + "/" + source.name() + " has " + source.lines() + " lines")
                .toList();
    }

    private static boolean isProtocol(Source source) {
        return source.packageName().matches("dev\\.incumbent\\.(model|outcome|protocol|peers)(\\..*)?");
    }

    private static List<String> packagesWithoutInfo(House house) {
        Set<String> told = house.mainSources()
                .filter(source -> source.name().equals("package-info.java"))
                .map(SourceRules::packageOf)
                .collect(Collectors.toSet());
        Set<String> untold = house.mainSources()
                .filter(source -> !source.isInfo())
                .map(SourceRules::packageOf)
                .collect(Collectors.toCollection(TreeSet::new));
        untold.removeAll(told);
        return untold.stream().map(name -> "no package-info.java: " + name).toList();
    }

    private static String packageOf(Source source) {
        return source.module() + " " + source.packageName();
    }

    private static List<String> scanned(Stream<Source> sources, Scans scan) {
        List<String> found = new ArrayList<>();
        sources.forEach(source -> scan.of(source, found::add).scan(source.tree(), null));
        return found;
    }

    private interface Scans {
        Scan of(Source source, Consumer<String> report);
    }

    /** Walks over one source and reports what it finds. */
    private static class Scan extends TreePathScanner<Object, Object> {
        final Source source;
        private final Consumer<String> report;

        Scan(Source source, Consumer<String> report) {
            this.source = source;
            this.report = report;
        }

        void found(Tree where, String what) {
            report.accept(source.place(where) + ": " + what);
        }
    }

    private static final class LongMethods extends Scan {
        LongMethods(Source source, Consumer<String> report) {
            super(source, report);
        }

        @Override
        public Object visitMethod(MethodTree method, Object unused) {
            if (source.lines(method) > LONGEST_METHOD) {
                found(method, method.getName() + " has " + source.lines(method) + " lines");
            }
            return super.visitMethod(method, unused);
        }
    }

    private static final class ManyParameters extends Scan {
        ManyParameters(Source source, Consumer<String> report) {
            super(source, report);
        }

        @Override
        public Object visitMethod(MethodTree method, Object unused) {
            boolean ofRecord = method.getReturnType() == null
                    && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
            if (method.getParameters().size() > MOST_PARAMETERS && !ofRecord) {
                found(
                        method,
                        method.getName() + " takes " + method.getParameters().size());
            }
            return super.visitMethod(method, unused);
        }
    }

    private static final class UndocumentedTypes extends Scan {
        UndocumentedTypes(Source source, Consumer<String> report) {
            super(source, report);
        }

        @Override
        public Object visitClass(ClassTree type, Object unused) {
            if (type.getModifiers().getFlags().contains(Modifier.PUBLIC) && !source.isDocumented(getCurrentPath())) {
                found(type, "public " + type.getSimpleName() + " has no Javadoc");
            }
            return super.visitClass(type, unused);
        }
    }

    private static final class Concurrency extends Scan {
        Concurrency(Source source, Consumer<String> report) {
            super(source, report);
        }

        @Override
        public Object visitVariable(VariableTree variable, Object unused) {
            if (variable.getModifiers().getFlags().contains(Modifier.VOLATILE)) {
                found(variable, "volatile " + variable.getName());
            }
            return super.visitVariable(variable, unused);
        }

        @Override
        public Object visitMethod(MethodTree method, Object unused) {
            if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
                found(method, "synchronized " + method.getName());
            }
            return super.visitMethod(method, unused);
        }

        @Override
        public Object visitSynchronized(SynchronizedTree block, Object unused) {
            found(block, "a synchronized block");
            return super.visitSynchronized(block, unused);
        }
    }
}
