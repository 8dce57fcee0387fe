package dev.incumbent.fence.file;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * One write behind the fence: what is appended to the file, or stands in its place. Used by one thread.
 *
 * <p>It is admitted by the commit, under the lock that writes, so {@link #admit} only notes for which term it is written.
 */
public final class FileWrite implements Fence {
    private final GuardedFile file;
    private final Duration bound;
    private final Map<ElectionName, FencingToken> admissions = new LinkedHashMap<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean replaces;
    private boolean ended;

    FileWrite(GuardedFile file, Duration bound) {
        this.file = file;
        this.bound = bound;
    }

    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (ended) {
            throw new NoTransactionException("this write has ended, so nothing is admitted into it");
        }
        admissions.put(election, token);
    }

    /** Appends when committed, after what was given before. */
    public FileWrite append(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    /** Stands in the file's place when committed, with what is appended later. */
    public FileWrite replace(byte[] all) {
        replaces = true;
        bytes.reset();
        bytes.writeBytes(all);
        return this;
    }

    /**
     * Writes, if what was admitted is in force; it is on the disk when this returns. An interrupt ends the wait for the lock; a write that was begun is done, and the
     * interrupt stays set.
     *
     * @throws NotAdmittedException the lock was not had in time, or this thread was interrupted before, or the fence could not be read: nothing was written
     * @throws IOException the disk failed: a replaced file is as it was or as it shall be, an appended one was cut back where that was possible
     */
    public void commit()
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException, IOException {
        if (ended || admissions.isEmpty()) {
            throw new NoTransactionException(
                    ended ? "this write has ended" : "this write was not admitted to any term");
        }
        ended = true;
        Optional<FenceException> refusal = written();
        if (refusal.isPresent()) {
            throwAgain(refusal.get());
        }
    }

    private Optional<FenceException> written() throws IOException, NotAdmittedException {
        try {
            return file.turns().alone(bound, this::writeIfAdmitted);
        } catch (TimeoutException e) {
            throw new NotAdmittedException(
                    file + " was not to be had for " + bound.toMillis() + " ms: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotAdmittedException("interrupted while waiting for " + file, e);
        }
    }

    private Optional<FenceException> writeIfAdmitted() throws IOException {
        try {
            MarkFile kept = MarkFile.read(file.marks());
            for (Map.Entry<ElectionName, FencingToken> admission : admissions.entrySet()) {
                kept.rule(admission.getKey()).admit(admission.getKey(), admission.getValue());
            }
        } catch (StaleTokenException | NotRaisedException refused) {
            return Optional.of(refused);
        } catch (NoSuchFileException none) {
            return Optional.of(new NotAdmittedException(file + " has no fence", none));
        } catch (IOException unreadable) {
            return Optional.of(new NotAdmittedException(
                    "the fence of " + file + " could not be read: " + unreadable.getMessage(), unreadable));
        }
        if (replaces) {
            Disk.replace(file.path(), bytes.toByteArray());
        } else {
            Disk.append(file.path(), bytes.toByteArray());
        }
        return Optional.empty();
    }

    private static void throwAgain(FenceException refusal)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        if (refusal instanceof StaleTokenException stale) {
            throw stale;
        }
        if (refusal instanceof NotRaisedException notRaised) {
            throw notRaised;
        }
        throw refusal instanceof NotAdmittedException notAdmitted
                ? notAdmitted
                : new NotAdmittedException(String.valueOf(refusal.getMessage()), refusal);
    }

    /** Ends it, nothing written. */
    public void rollBack() {
        ended = true;
    }
}
