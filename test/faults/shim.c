/*
 * Preloaded into one run of the program. Numbers every call that changes or opens something below one of the roots,
 * writes them down, and lets one of them fail.
 *
 *   FAULT_ROOTS  directories, separated by colons
 *   FAULT_LOG    where the calls are written: a line each, and with FAULT_BYTES=1 the bytes that were written after it
 *   FAULT_AT     the number of the call that fails
 *   FAULT_KIND   EIO, ENOSPC, EACCES, EMFILE: the call fails so; full: it and all later ones that need space fail with
 *                ENOSPC; short: half of the bytes are written; before, after: kill -9 before or after the call
 *
 * A line: number, call, inode, offset, length, flags, path, second path, separated by tabs. Programs that this one starts
 * are left alone. Memory-mapped writes are not seen: SQLite's -shm is the only such file, and it is made anew.
 */
#include "shim-points.h"

static int do_open(int dir, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  resolve(dir, name, path);
  if (!is_watched(path)) return syscall(SYS_openat, dir, name, flags, mode);
  unsigned long before = inode_at(path);
  int creates = (flags & O_CREAT) && before == 0;
  int fault = enter(creates);
  if (fault > 0) {
    note(&(Call){creates ? "create" : "open", path, NULL, 0, 0, -fault, flags}, NULL);
    return refuse(fault);
  }
  int fd = syscall(SYS_openat, dir, name, flags, mode);
  int kept = errno;
  note(&(Call){creates ? "create" : "open", path, NULL, fd < 0 ? 0 : inode_of(fd), 0, fd < 0 ? -kept : 0, flags}, NULL);
  errno = kept;
  return leave(fd);
}

#define OPENING(name, ...)                                  \
  int name(__VA_ARGS__, int flags, ...) {                   \
    va_list more;                                           \
    va_start(more, flags);                                  \
    mode_t mode = flags & O_CREAT ? va_arg(more, int) : 0;  \
    va_end(more);                                           \
    return do_open(DIR_OF, file, flags, mode);              \
  }
#define DIR_OF AT_FDCWD
OPENING(open, const char *file)
OPENING(open64, const char *file)
#undef DIR_OF
#define DIR_OF dir
OPENING(openat, int dir, const char *file)
OPENING(openat64, int dir, const char *file)

static ssize_t do_write(const char *call, int fd, const void *bytes, size_t length, off_t offset) {
  char path[PATH_MAX];
  int positioned = offset >= 0;
  path_of(fd, path);
  if (!is_watched(path))
    return positioned ? syscall(SYS_pwrite64, fd, bytes, length, offset) : syscall(SYS_write, fd, bytes, length);
  int fault = enter(NEEDS_SPACE);
  off_t place = offset;
  struct stat found;
  if (!positioned) {
    place = lseek(fd, 0, SEEK_CUR);
    if ((fcntl(fd, F_GETFL) & O_APPEND) && fstat(fd, &found) == 0) place = found.st_size;
  }
  if (fault > 0) {
    note(&(Call){call, path, NULL, inode_of(fd), place, -fault, 0}, NULL);
    return refuse(fault);
  }
  size_t wanted = fault == SHORT && length > 1 ? length / 2 : length;
  ssize_t wrote =
      positioned ? syscall(SYS_pwrite64, fd, bytes, wanted, offset) : syscall(SYS_write, fd, bytes, wanted);
  int kept = errno;
  note(&(Call){call, path, NULL, inode_of(fd), place, wrote < 0 ? -kept : wrote, 0}, bytes);
  errno = kept;
  return leave(wrote);
}

ssize_t write(int fd, const void *bytes, size_t length) { return do_write("write", fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at_) {
  return do_write("pwrite", fd, bytes, length, at_);
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at_) {
  return do_write("pwrite", fd, bytes, length, at_);
}

/* Several buffers are written as one. */
static ssize_t do_writev(int fd, const struct iovec *parts, int number, off_t offset) {
  char path[PATH_MAX];
  path_of(fd, path);
  if (!is_watched(path))
    return offset >= 0 ? syscall(SYS_pwritev, fd, parts, number, offset, 0) : syscall(SYS_writev, fd, parts, number);
  size_t length = 0;
  for (int i = 0; i < number; i++) length += parts[i].iov_len;
  char *joined = malloc(length + 1), *end = joined;
  for (int i = 0; i < number; i++) end = mempcpy(end, parts[i].iov_base, parts[i].iov_len);
  ssize_t wrote = do_write(offset >= 0 ? "pwrite" : "write", fd, joined, length, offset);
  int kept = errno;
  free(joined);
  errno = kept;
  return wrote;
}

ssize_t writev(int fd, const struct iovec *parts, int number) { return do_writev(fd, parts, number, -1); }
ssize_t pwritev(int fd, const struct iovec *parts, int number, off_t at_) { return do_writev(fd, parts, number, at_); }
ssize_t pwritev64(int fd, const struct iovec *parts, int number, off64_t at_) { return do_writev(fd, parts, number, at_); }

static ssize_t do_copy(int from, off64_t *from_at, int to, off64_t *to_at, size_t length) {
  char *bytes = malloc(length ? length : 1);
  ssize_t got = from_at ? pread(from, bytes, length, *from_at) : read(from, bytes, length);
  ssize_t wrote = got <= 0 ? got : do_write("write", to, bytes, got, to_at ? *to_at : -1);
  int kept = errno;
  if (wrote > 0 && from_at) *from_at += wrote;
  if (wrote > 0 && to_at) *to_at += wrote;
  free(bytes);
  errno = kept;
  return wrote;
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length, unsigned flags) {
  char path[PATH_MAX];
  path_of(to, path);
  if (!is_watched(path)) return syscall(SYS_copy_file_range, from, from_at, to, to_at, length, flags);
  return do_copy(from, from_at, to, to_at, length);
}
ssize_t sendfile(int to, int from, off_t *from_at, size_t length) {
  char path[PATH_MAX];
  path_of(to, path);
  if (!is_watched(path)) return syscall(SYS_sendfile, to, from, from_at, length);
  return do_copy(from, from_at, to, NULL, length);
}
ssize_t sendfile64(int to, int from, off64_t *from_at, size_t length) { return sendfile(to, from, from_at, length); }

/* What is said of a descriptor: a sync, a new length, a mode, a reservation of space. */
#define ON_DESCRIPTOR(call, fd, space, size, number)                                                           \
  do {                                                                                                         \
    char path[PATH_MAX];                                                                                       \
    path_of(fd, path);                                                                                         \
    if (!is_watched(path)) return number;                                                                      \
    int fault = enter(space);                                                                                  \
    if (fault > 0) {                                                                                           \
      note(&(Call){call, path, NULL, inode_of(fd), size, -fault, 0}, NULL);                                    \
      return refuse(fault);                                                                                    \
    }                                                                                                          \
    long result = number;                                                                                      \
    int kept = errno;                                                                                          \
    note(&(Call){call, path, NULL, inode_of(fd), size, result < 0 ? -kept : 0, 0}, NULL);                      \
    errno = kept;                                                                                              \
    return leave(result);                                                                                      \
  } while (0)

int fsync(int fd) { ON_DESCRIPTOR("fsync", fd, NEEDS_NO_SPACE, 0, syscall(SYS_fsync, fd)); }
int fdatasync(int fd) { ON_DESCRIPTOR("fsync", fd, NEEDS_NO_SPACE, 0, syscall(SYS_fdatasync, fd)); }
int ftruncate(int fd, off_t size) { ON_DESCRIPTOR("truncate", fd, NEEDS_NO_SPACE, size, syscall(SYS_ftruncate, fd, size)); }
int ftruncate64(int fd, off64_t size) { ON_DESCRIPTOR("truncate", fd, NEEDS_NO_SPACE, size, syscall(SYS_ftruncate, fd, size)); }
int fallocate(int fd, int mode, off_t from, off_t size) {
  ON_DESCRIPTOR("allocate", fd, NEEDS_SPACE, from + size, syscall(SYS_fallocate, fd, mode, from, size));
}

/* What is done to names. `found` is the inode of what is named, before the call or, where it makes one, after it. */
#define ON_NAMES(call, dir, name, second_dir, second_name, space, number)                                      \
  do {                                                                                                         \
    char path[PATH_MAX], second[PATH_MAX] = "";                                                                \
    resolve(dir, name, path);                                                                                  \
    if (second_name) resolve(second_dir, second_name, second);                                                 \
    if (!is_watched(path) && !is_watched(second)) return number;                                               \
    unsigned long found = inode_at(path);                                                                      \
    int fault = enter(space);                                                                                  \
    if (fault > 0) {                                                                                           \
      note(&(Call){call, path, second, found, 0, -fault, 0}, NULL);                                            \
      return refuse(fault);                                                                                    \
    }                                                                                                          \
    long result = number;                                                                                      \
    int kept = errno;                                                                                          \
    note(&(Call){call, path, second, found ? found : inode_at(path), 0, result < 0 ? -kept : 0, 0}, NULL);     \
    errno = kept;                                                                                              \
    return leave(result);                                                                                      \
  } while (0)

#define NONE ((const char *)NULL)

int renameat2(int d, const char *from, int e, const char *to, unsigned flags) {
  ON_NAMES("rename", d, from, e, to, NEEDS_NO_SPACE, syscall(SYS_renameat2, d, from, e, to, flags));
}
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int d, const char *from, int e, const char *to) { return renameat2(d, from, e, to, 0); }
int unlinkat(int d, const char *name, int flags) {
  if (flags & AT_REMOVEDIR) ON_NAMES("rmdir", d, name, 0, NONE, NEEDS_NO_SPACE, syscall(SYS_unlinkat, d, name, flags));
  ON_NAMES("unlink", d, name, 0, NONE, NEEDS_NO_SPACE, syscall(SYS_unlinkat, d, name, flags));
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
int mkdirat(int d, const char *name, mode_t mode) {
  ON_NAMES("mkdir", d, name, 0, NONE, NEEDS_SPACE, syscall(SYS_mkdirat, d, name, mode));
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }
int linkat(int d, const char *from, int e, const char *to, int flags) {
  ON_NAMES("link", d, from, e, to, NEEDS_SPACE, syscall(SYS_linkat, d, from, e, to, flags));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
int truncate(const char *name, off_t size) {
  int fd = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CLOEXEC, 0);
  if (fd < 0) return -1;
  int result = ftruncate(fd, size);
  int kept = errno;
  syscall(SYS_close, fd);
  errno = kept;
  return result;
}
int truncate64(const char *name, off64_t size) { return truncate(name, size); }
int remove(const char *name) {
  struct stat found;
  return lstat(name, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(name) : unlink(name);
}
