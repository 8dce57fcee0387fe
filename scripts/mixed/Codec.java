import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the build on the class path makes of texts of records and candidates: for each line of a file, {@code name kind text}, that line and the answer. */
public final class Codec {
    private Codec() {}

    public static void main(String[] args) throws IOException {
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            String[] fields = line.split("\t", -1);
            System.out.println(fields[0] + "\t" + fields[1] + "\t" + fields[2] + "\t" + answer(fields[1], fields[2]));
        }
    }

    private static String answer(String kind, String text) {
        try {
            String again = kind.equals("record")
                    ? RecordJson.write(RecordJson.read(text))
                    : RecordJson.write(RecordJson.readEnlisted(text));
            return again.equals(text) ? "kept" : "written again as " + again;
        } catch (UnreadableRecordException e) {
            return e.getMessage();
        }
    }
}
