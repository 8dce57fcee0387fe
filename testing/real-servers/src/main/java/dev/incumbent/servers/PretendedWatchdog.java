package dev.incumbent.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A device that answers a process as a watchdog would, and writes down what was done to it; it restarts nothing. It is a library in C that is loaded before all
 * others, and takes the calls on a file of the name {@code dog}, since no FIFO, terminal or plain file takes those of a watchdog. Needs a C compiler.
 */
public final class PretendedWatchdog {
    private static final String LIBRARY = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <linux/watchdog.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            static int dog = -1, seconds = 60, may_stop;
            static long number(const char *name, long otherwise) {
                const char *text = getenv(name);
                return text ? atol(text) : otherwise;
            }
            static int plain_open(const char *path, int flags, int mode) {
                return (int)syscall(SYS_openat, -100L, path, (long)flags, (long)mode);
            }
            static void put(const char *file, const char *text, int flags) {
                char path[4096];
                snprintf(path, sizeof path, "%s/%s", getenv("DOG"), file);
                int fd = plain_open(path, O_WRONLY | O_CREAT | flags, 0600);
                if (write(fd, text, strlen(text)) < 0) { abort(); }
                syscall(SYS_close, (long)fd);
            }
            static void note(const char *what) {
                char line[200];
                struct timespec now;
                clock_gettime(CLOCK_BOOTTIME, &now);
                snprintf(line, sizeof line, "%s %lld\\n", what, now.tv_sec * 1000000000LL + now.tv_nsec);
                put("calls", line, O_APPEND);
            }
            int open(const char *path, int flags, ...) {
                va_list more;
                va_start(more, flags);
                int mode = flags & O_CREAT ? va_arg(more, int) : 0;
                va_end(more);
                char of_dog[4096];
                snprintf(of_dog, sizeof of_dog, "%s/dog", getenv("DOG"));
                if (strncmp(path, "/sys/", 5) == 0) {
                    snprintf(of_dog, sizeof of_dog, "%s/%s", getenv("DOG"), strrchr(path, '/') + 1);
                    return plain_open(of_dog, flags, mode);
                }
                int fd = plain_open(path, flags, mode);
                if (fd >= 0 && strcmp(path, of_dog) == 0) {
                    dog = fd, may_stop = 0;
                    note("open 60");
                    put("state", "active\\n", O_TRUNC);
                }
                return fd;
            }
            ssize_t write(int fd, const void *bytes, size_t count) {
                if (fd == dog && dog >= 0) {
                    may_stop = memchr(bytes, 'V', count) != NULL;
                    return (ssize_t)count;
                }
                return syscall(SYS_write, (long)fd, bytes, count);
            }
            int close(int fd) {
                if (fd == dog && dog >= 0) {
                    dog = -1;
                    note(may_stop ? "stop 0" : "ping 0");
                    if (may_stop && !number("STICKS", 0)) { put("state", "inactive\\n", O_TRUNC); }
                }
                return (int)syscall(SYS_close, (long)fd);
            }
            int ioctl(int fd, unsigned long request, ...) {
                va_list more;
                va_start(more, request);
                void *value = va_arg(more, void *);
                va_end(more);
                char line[40];
                if (fd != dog) { return (int)syscall(SYS_ioctl, (long)fd, request, value); }
                switch (request) {
                case WDIOC_GETSUPPORT:
                    ((struct watchdog_info *)value)->options = (unsigned)number("OPTIONS", 0x8180);
                    return 0;
                case WDIOC_SETTIMEOUT: {
                    long step = number("STEP", 1), asked = *(int *)value;
                    if (asked > number("MOST", 100000)) { errno = EINVAL; return -1; }
                    seconds = (int)((asked + step - 1) / step * step);
                    *(int *)value = seconds;
                    snprintf(line, sizeof line, "set %d", seconds);
                    note(line);
                    return 0;
                }
                case WDIOC_GETTIMEOUT:
                    *(int *)value = seconds;
                    return 0;
                case WDIOC_KEEPALIVE:
                    snprintf(line, sizeof line, "feed %d", seconds);
                    note(line);
                    return 0;
                }
                errno = ENOTTY;
                return -1;
            }
            """;

    private final Path folder;
    private final Path program;

    private PretendedWatchdog(Path folder, Path program) {
        this.folder = folder;
        this.program = program;
    }

    /** One that is stopped, in that folder; the holder's program is this one. */
    public static PretendedWatchdog in(Path folder, Path program) throws IOException, InterruptedException {
        compile(folder);
        Files.writeString(folder.resolve("dog"), "");
        Files.writeString(folder.resolve("calls"), "");
        PretendedWatchdog dog = new PretendedWatchdog(folder, program);
        dog.tells("nowayout", "0");
        dog.tells("state", "inactive");
        return dog;
    }

    private static void compile(Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("kernel.c"), LIBRARY);
        Process compiler = new ProcessBuilder("cc", "-O1", "-shared", "-fPIC", "-o", "kernel.so", "kernel.c")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new IOException("no library: " + said);
        }
    }

    /** What the kernel tells of it under /sys. */
    public void tells(String what, String word) throws IOException {
        Files.writeString(folder.resolve(what), word + "\n");
    }

    /** The program that holds it, with what stands before it; the variables change how the device behaves. */
    public List<String> program(String... variables) {
        List<String> words =
                new ArrayList<>(List.of("env", "LD_PRELOAD=" + folder.resolve("kernel.so"), "DOG=" + folder));
        words.addAll(List.of(variables));
        words.add(program.toString());
        return words;
    }

    /** The file that is taken for it. */
    public Path device() {
        return folder.resolve("dog");
    }

    /** What was done to it: a word and seconds. */
    public List<String> calls() throws IOException {
        return lines().stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
    }

    /** When it would restart the machine, on the boot-time clock; 0 while it is stopped. */
    public long firesAtBoot() throws IOException {
        long fires = 0;
        long seconds = 60;
        for (String line : lines()) {
            String[] words = line.split(" ", -1);
            seconds = words[0].equals("ping") ? seconds : Long.parseLong(words[1]);
            fires = words[0].equals("stop") ? 0 : Long.parseLong(words[2]) + seconds * 1_000_000_000L;
        }
        return fires;
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }
}
