package dev.incumbent.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** One Java source, parsed but not resolved. */
record Source(String module, Path file, boolean isMain, CompilationUnitTree tree, DocTrees docs) {
    /** All Java sources of a module. */
    static List<Source> beneath(String module, Path folder) {
        List<Source> sources = new ArrayList<>(parsed(module, folder.resolve("src/main/java"), true));
        sources.addAll(parsed(module, folder.resolve("src/test/java"), false));
        return sources;
    }

    /** Is it {@code package-info} or {@code module-info}? */
    boolean isInfo() {
        return name().endsWith("-info.java");
    }

    String name() {
        return file.getFileName().toString();
    }

    String packageName() {
        return tree.getPackageName() == null ? "" : tree.getPackageName().toString();
    }

    int lines() {
        try {
            return Files.readAllLines(file).size();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** How many lines a part of it takes, first and last included. */
    long lines(Tree part) {
        long start = docs.getSourcePositions().getStartPosition(tree, part);
        long end = docs.getSourcePositions().getEndPosition(tree, part);
        return tree.getLineMap().getLineNumber(end) - tree.getLineMap().getLineNumber(start) + 1;
    }

    /** Where a part of it stands, for people. */
    String place(Tree part) {
        long start = docs.getSourcePositions().getStartPosition(tree, part);
        return module + "/" + name() + ":" + tree.getLineMap().getLineNumber(start);
    }

    boolean isDocumented(TreePath part) {
        return docs.getDocComment(part) != null;
    }

    private static List<Source> parsed(String module, Path folder, boolean isMain) {
        List<Path> files = House.files(folder).stream()
                .filter(file -> file.toString().endsWith(".java"))
                .toList();
        if (files.isEmpty()) {
            return List.of();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        JavacTask task = (JavacTask) compiler.getTask(
                null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
        DocTrees docs = DocTrees.instance(task);
        try {
            List<Source> sources = new ArrayList<>();
            for (CompilationUnitTree tree : task.parse()) {
                sources.add(new Source(module, Path.of(tree.getSourceFile().toUri()), isMain, tree, docs));
            }
            return sources;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
