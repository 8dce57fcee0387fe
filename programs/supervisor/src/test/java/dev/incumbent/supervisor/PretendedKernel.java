package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** System calls that answer a program as they would on another machine: a library in C that is loaded before all others. */
final class PretendedKernel {
    /** The boot-time clock is this much ahead of the monotonic one, as on a machine that slept so long. */
    static final long SLEPT_SECONDS = 1_000_000;

    static final String SLEPT = """
            #define _GNU_SOURCE
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            static int of_boot_time;
            int clock_gettime(clockid_t id, struct timespec *now) {
                long failed = syscall(SYS_clock_gettime, (long)id, now);
                now->tv_sec += id == CLOCK_BOOTTIME ? %1$d : 0;
                return (int)failed;
            }
            int timerfd_create(int id, int flags) {
                of_boot_time = id == CLOCK_BOOTTIME;
                return (int)syscall(SYS_timerfd_create, (long)id, (long)flags);
            }
            int timerfd_settime(int timer, int flags, const struct itimerspec *at, struct itimerspec *before) {
                struct itimerspec real = *at;
                real.it_value.tv_sec -= of_boot_time && at->it_value.tv_sec >= %1$d ? %1$d : 0;
                return (int)syscall(SYS_timerfd_settime, (long)timer, (long)flags, &real, before);
            }
            """.formatted(SLEPT_SECONDS);

    /** A kernel built without CONFIG_PROC_CHILDREN. */
    static final String WITHOUT_LISTS_OF_CHILDREN = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int access(const char *path, int mode) {
                if (strstr(path, "/children")) {
                    errno = ENOENT;
                    return -1;
                }
                return (int)syscall(SYS_faccessat, -100L, path, (long)mode);
            }
            """;

    /** A kernel before 5.3 (ENOSYS), or a filter of system calls that knows no pidfd (EPERM, as old container runtimes have it): it leaves a file. */
    static String withoutPidfds(String error) {
        return """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <fcntl.h>
            #include <unistd.h>
            long syscall(long number, ...) {
                (void)number;
                close(open("refused", O_CREAT | O_WRONLY, 0600));
                errno = %s;
                return -1;
            }
            """.formatted(error);
    }

    /** Whoever has a child has a stranger, too, as if that number had been given away since: named by the variable STRANGER. */
    static final String WITH_A_STRANGER = """
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/mman.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int open(const char *path, int flags, ...) {
                int file = (int)syscall(SYS_openat, -100L, path, (long)flags, 0L);
                char own[40], strangers[40], text[4096];
                snprintf(own, sizeof own, "/proc/%d/", getpid());
                snprintf(strangers, sizeof strangers, "/proc/%s/", getenv("STRANGER"));
                if (file < 0 || !strstr(path, "/children") || strstr(path, own) || strstr(path, strangers)) {
                    return file;
                }
                ssize_t count = read(file, text, sizeof text - 40);
                close(file);
                int told = memfd_create("children", 0);
                count = count < 0 ? 0 : count;
                count += sprintf(text + count, "%s ", getenv("STRANGER"));
                if (write(told, text, (size_t)count) != count) { return -1; }
                lseek(told, 0, SEEK_SET);
                return told;
            }
            """;

    /** Nothing can be opened in /proc. */
    static final String WITHOUT_PROC = """
            #define _GNU_SOURCE
            #include <errno.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int open(const char *path, int flags, ...) {
                if (strncmp(path, "/proc/", 6) == 0) {
                    errno = ENOENT;
                    return -1;
                }
                return (int)syscall(SYS_openat, -100L, path, (long)flags, 0L);
            }
            """;

    /** As many files of the user are in messages between processes as one process may have open. */
    static final String FULL_OF_MESSAGES = """
            #include <errno.h>
            #include <sys/socket.h>
            ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
                (void)socket, (void)message, (void)flags;
                errno = ETOOMANYREFS;
                return -1;
            }
            """;

    /** Every field of what the kernel tells of its clock has a number of its own. */
    static final String NUMBERED_CLOCK = """
            #include <sys/timex.h>
            int adjtimex(struct timex *kernel) {
                if (kernel->modes) { return -1; }
                kernel->offset = 11, kernel->freq = 12, kernel->maxerror = 13, kernel->esterror = 14;
                kernel->status = 15, kernel->tolerance = 16, kernel->tick = 17;
                return 4;
            }
            """;

    static final String CLOCK_UNTOLD = "int adjtimex(void *kernel) { (void)kernel; return -1; }\n";

    private PretendedKernel() {}

    /** Builds it there, and gives the words before a program that shall meet it. */
    static String[] in(Path folder, String source) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("kernel.c"), source);
        Process compiler = new ProcessBuilder("cc", "-O1", "-shared", "-fPIC", "-o", "kernel.so", "kernel.c")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (compiler.waitFor() != 0) {
            throw new IOException("no library: " + said);
        }
        return new String[] {"env", "LD_PRELOAD=" + folder.resolve("kernel.so")};
    }
}
