/* Which calls are watched, how they are numbered and written down, and which of them is to fail. See shim.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PASS = 0, SHORT = -1 };
enum { NEEDS_NO_SPACE = 0, NEEDS_SPACE = 1 };

static char roots[4096];
static char kind[16];
static long at = -1;
static long count = 0;
static int log_fd = -1;
static int with_bytes = 0;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin_watching(void) {
  const char *text = getenv("FAULT_ROOTS");
  if (text) snprintf(roots, sizeof roots, "%s", text);
  if ((text = getenv("FAULT_KIND"))) snprintf(kind, sizeof kind, "%s", text);
  if ((text = getenv("FAULT_AT"))) at = atol(text);
  with_bytes = getenv("FAULT_BYTES") != NULL;
  if ((text = getenv("FAULT_LOG")))
    log_fd = syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  unsetenv("LD_PRELOAD");
  unsetenv("FAULT_ROOTS");
}

static int is_watched(const char *path) {
  for (const char *root = roots; *root;) {
    size_t length = strcspn(root, ":");
    if (length && !strncmp(path, root, length) && (path[length] == '/' || path[length] == 0)) return 1;
    root += length + (root[length] == ':');
  }
  return 0;
}

static void path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = 0;
}

static void resolve(int dir, const char *name, char *path) {
  char base[PATH_MAX];
  int handle, rest = 0;
  /* A directory that is named by its handle. */
  if (sscanf(name, "/proc/self/fd/%d%n", &handle, &rest) == 1 && name[rest] == '/') {
    path_of(handle, base);
    snprintf(path, PATH_MAX, "%.*s%s", PATH_MAX - 1, base, name + rest);
    return;
  }
  if (name[0] == '/') {
    snprintf(path, PATH_MAX, "%s", name);
    return;
  }
  if (dir == AT_FDCWD) {
    if (!getcwd(base, sizeof base)) base[0] = 0;
  } else path_of(dir, base);
  if (strlen(base) + strlen(name) + 2 > PATH_MAX) path[0] = 0;
  else strcpy(stpcpy(stpcpy(path, base), "/"), name);
}

static unsigned long inode_at(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 ? found.st_ino : 0;
}

static unsigned long inode_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static void put(const void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    long wrote = syscall(SYS_write, log_fd, (const char *)bytes + done, length - done);
    if (wrote <= 0) return;
    done += wrote;
  }
}

typedef struct {
  const char *call;
  const char *path;
  const char *second;
  unsigned long inode;
  long offset;
  long length;
  int flags;
} Call;

static void note(const Call *c, const void *bytes) {
  char line[3 * PATH_MAX];
  if (log_fd < 0) return;
  int length = snprintf(line, sizeof line, "%ld\t%s\t%lu\t%ld\t%ld\t%d\t%s\t%s\n", count, c->call, c->inode, c->offset,
                        c->length, c->flags, c->path, c->second ? c->second : "");
  put(line, length);
  if (with_bytes && bytes && c->length > 0) put(bytes, c->length);
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

/* Takes the turn and the next number. PASS, SHORT, or the errno that the call is to fail with. */
static int enter(int space) {
  pthread_mutex_lock(&turn);
  count++;
  if (at < 0) return PASS;
  if (!strcmp(kind, "full")) return count >= at && space ? ENOSPC : PASS;
  if (count != at) return PASS;
  if (!strcmp(kind, "before")) die();
  if (!strcmp(kind, "short")) return SHORT;
  if (!strcmp(kind, "EIO")) return EIO;
  if (!strcmp(kind, "ENOSPC")) return ENOSPC;
  if (!strcmp(kind, "EACCES")) return EACCES;
  if (!strcmp(kind, "EMFILE")) return EMFILE;
  return PASS;
}

static long leave(long result) {
  int kept = errno;
  if (count == at && !strcmp(kind, "after")) die();
  pthread_mutex_unlock(&turn);
  errno = kept;
  return result;
}

static long refuse(int error) {
  errno = error;
  return leave(-1);
}
