package dev.incumbent.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Which file systems another machine, or another kernel, may share: the locks of a SQLite file there, and the clock of this machine, do not reach that far. */
public final class FileSystems {
    private static final Set<String> SHARED = Set.of(
            "nfs",
            "nfs3",
            "nfs4",
            "cifs",
            "smb",
            "smb2",
            "smb3",
            "smbfs",
            "ncpfs",
            "afs",
            "afpfs",
            "webdav",
            "9p",
            "virtiofs",
            "ceph",
            "glusterfs",
            "lustre",
            "gpfs",
            "ocfs2",
            "gfs2",
            "orangefs",
            "beegfs",
            "vboxsf",
            "vmhgfs",
            "prl_fs",
            "davfs");

    private static final Set<String> LOCAL_IN_USER_SPACE = Set.of("fuse.fuse-overlayfs", "fuse.ntfs-3g", "fuse.lxcfs");

    private FileSystems() {}

    /** The type of the file system a path lies on, as the system calls it. */
    public static String typeOf(Path existing) {
        try {
            return Files.getFileStore(existing).type();
        } catch (IOException e) {
            // Not knowing is no reason to refuse: what follows opens the file, and tells.
            return "";
        }
    }

    /** Is a file system of that type one of those? */
    public static boolean isShared(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        return SHARED.contains(name) || (name.startsWith("fuse.") && !LOCAL_IN_USER_SPACE.contains(name));
    }
}
