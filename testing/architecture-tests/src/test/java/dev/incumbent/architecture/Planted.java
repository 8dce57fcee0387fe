package dev.incumbent.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A small house that breaks rules: files by path, its Java sources compiled. */
final class Planted {
    private static final String DESCRIPTOR = "src/main/java/module-info.java";

    private final Map<String, String> files = new TreeMap<>();
    private final List<String> modules = new ArrayList<>();
    private boolean compiled = true;

    /** Adds a file of a module. */
    Planted file(String module, String path, String text) {
        if (!modules.contains(module)) {
            modules.add(module);
        }
        files.put(module + "/" + path, text);
        return this;
    }

    /** Adds a main source of a module in a package, which it begins by naming. */
    Planted source(String module, String packageName, String type, String text) {
        return file(
                module,
                "src/main/java/" + packageName.replace('.', '/') + "/" + type + ".java",
                "package " + packageName + ";\n" + text);
    }

    /** Adds a source of a module's tests in a package, which it begins by naming. */
    Planted test(String module, String packageName, String type, String text) {
        return file(
                module,
                "src/test/java/" + packageName.replace('.', '/') + "/" + type + ".java",
                "package " + packageName + ";\n" + text);
    }

    /** Adds a file beside the modules. */
    Planted beside(String path, String text) {
        files.put(path, text);
        return this;
    }

    /** Leaves everything uncompiled. */
    Planted uncompiled() {
        compiled = false;
        return this;
    }

    /** Builds it in an empty folder. */
    House in(Path folder) {
        try {
            StringBuilder pom = new StringBuilder("<project><modules>");
            modules.forEach(module -> pom.append("<module>").append(module).append("</module>"));
            Files.writeString(folder.resolve("pom.xml"), pom + "</modules></project>");
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.writeString(path, file.getValue());
            }
            if (compiled) {
                compile(folder, "src/main/java", "target/classes");
                compile(folder, "src/test/java", "target/test-classes");
            }
            return new House(folder);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private void compile(Path folder, String from, String to) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        List<Path> roots = modules.stream()
                .map(module -> folder.resolve(module).resolve(from))
                .toList();
        String classes = modules.stream()
                .map(module -> folder.resolve(module).resolve("target/classes").toString())
                .collect(Collectors.joining(":", System.getProperty("java.class.path") + ":", ""));
        for (String module : modules) {
            List<Path> sources = House.files(folder.resolve(module).resolve(from)).stream()
                    .filter(file -> file.toString().endsWith(".java")
                            && !file.endsWith(Path.of(DESCRIPTOR).getFileName()))
                    .toList();
            if (sources.isEmpty()) {
                continue;
            }
            String path = String.join(":", roots.stream().map(Path::toString).toList());
            Path target = Files.createDirectories(folder.resolve(module).resolve(to));
            List<String> options = List.of(
                    "-proc:none",
                    "-nowarn",
                    "-implicit:none",
                    "-classpath",
                    classes,
                    "-sourcepath",
                    path,
                    "-d",
                    target.toString());
            if (!compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(sources))
                    .call()) {
                throw new IllegalStateException("the planted sources do not compile: " + sources);
            }
        }
    }
}
