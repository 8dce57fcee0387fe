package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.health.FreeDisk;
import dev.incumbent.health.HealthCheck;
import dev.incumbent.health.HttpProbe;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the values of {@code --health-http} and {@code --health-disk}. */
final class HealthValues {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)(%|B|[kMGT]B|[KMGT]iB)");
    private static final Map<String, Long> UNITS = Map.of(
            "B", 1L,
            "kB", 1_000L,
            "MB", 1_000_000L,
            "GB", 1_000_000_000L,
            "TB", 1_000_000_000_000L,
            "KiB", 1L << 10,
            "MiB", 1L << 20,
            "GiB", 1L << 30,
            "TiB", 1L << 40);

    private HealthValues() {}

    /** The checks that they name; what cannot be meant is refused. */
    static List<HealthCheck> checks(List<String> urls, List<String> disks) {
        List<HealthCheck> checks = new ArrayList<>();
        urls.forEach(url -> checks.add(probe(url)));
        disks.forEach(disk -> checks.add(disk(disk)));
        return List.copyOf(checks);
    }

    /** The value is not repeated: it may bear a password. */
    private static HealthCheck probe(String url) {
        try {
            return HttpProbe.of(URI.create(url));
        } catch (IllegalArgumentException refused) {
            throw Refusal.usage(
                    "--health-http has an address such as http://127.0.0.1:8080/health, without a user and a password; this one is none");
        }
    }

    private static HealthCheck disk(String text) {
        int middle = text.lastIndexOf('=');
        Matcher amount = AMOUNT.matcher(text.substring(middle + 1));
        if (middle < 1 || !amount.matches()) {
            throw refusedDisk(text);
        }
        try {
            Path path = Path.of(text.substring(0, middle));
            BigDecimal number = new BigDecimal(amount.group(1));
            Long unit = UNITS.get(amount.group(2));
            return unit == null
                    ? FreeDisk.atLeastPercent(path, number.doubleValue())
                    : FreeDisk.atLeast(
                            path, number.multiply(BigDecimal.valueOf(unit)).longValueExact());
        } catch (IllegalArgumentException | ArithmeticException refused) {
            throw refusedDisk(text);
        }
    }

    private static Refusal refusedDisk(String text) {
        return Refusal.usage(
                "--health-disk has the form PATH=MIN, such as /var/lib=500MB, /var/lib=2GiB or /var/lib=5%; this one is '"
                        + text + "'");
    }
}
