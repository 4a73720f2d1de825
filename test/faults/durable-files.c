/*
 * Tells what a power loss would leave of the files below DURABLE_FROM: a copy of each as it was when it was synced last,
 * below DURABLE_TO. Preloaded into the process under test. A synced directory takes the removals in it along.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void make_parents(char *path) {
  for (char *at = path + 1; (at = strchr(at, '/')) != NULL; at++) {
    *at = 0;
    mkdir(path, 0700);
    *at = '/';
  }
}

/* What was there is replaced whole, so that whoever kills the process finds the copy before or the one after. */
static void copy_file(const char *from, char *to) {
  char draft[PATH_MAX * 2 + 8], bytes[65536];
  make_parents(to);
  snprintf(draft, sizeof draft, "%s.draft", to);
  int in = open(from, O_RDONLY), out = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in >= 0 && out >= 0) {
    ssize_t count;
    while ((count = read(in, bytes, sizeof bytes)) > 0)
      if (write(out, bytes, count) != count) abort();
    if (rename(draft, to) != 0) abort();
  }
  if (in >= 0) close(in);
  if (out >= 0) close(out);
}

static void forget_removed(const char *from, const char *to) {
  DIR *kept = opendir(to);
  if (kept == NULL) return;
  for (struct dirent *entry; (entry = readdir(kept)) != NULL;) {
    char live[PATH_MAX * 4], durable[PATH_MAX * 4];
    snprintf(live, sizeof live, "%s/%s", from, entry->d_name);
    snprintf(durable, sizeof durable, "%s/%s", to, entry->d_name);
    if (access(live, F_OK) != 0) unlink(durable);
  }
  closedir(kept);
}

/* Where the copy of a file is; 0 for files elsewhere. */
static int copy_of(const char *path, char *to, size_t room) {
  const char *root = getenv("DURABLE_FROM"), *target = getenv("DURABLE_TO");
  if (root == NULL || target == NULL) return 0;
  size_t prefix = strlen(root);
  if (strncmp(path, root, prefix) != 0 || path[prefix] != '/') return 0;
  snprintf(to, room, "%s%s", target, path + prefix);
  return 1;
}

static void keep(int fd) {
  char link[64], path[PATH_MAX], to[PATH_MAX * 2];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return;
  path[length] = 0;
  struct stat about;
  if (!copy_of(path, to, sizeof to) || fstat(fd, &about) != 0) return;
  pthread_mutex_lock(&turn);
  if (S_ISDIR(about.st_mode)) forget_removed(path, to);
  else copy_file(path, to);
  pthread_mutex_unlock(&turn);
}

typedef int (*sync_call)(int);

int fsync(int fd) {
  int result = ((sync_call)dlsym(RTLD_NEXT, "fsync"))(fd);
  if (result == 0) keep(fd);
  return result;
}

int fdatasync(int fd) {
  int result = ((sync_call)dlsym(RTLD_NEXT, "fdatasync"))(fd);
  if (result == 0) keep(fd);
  return result;
}

/* A name that is taken over is kept with the file that has it. */
int rename(const char *from, const char *to) {
  char durable_from[PATH_MAX * 2], durable_to[PATH_MAX * 2];
  typedef int (*rename_call)(const char *, const char *);
  rename_call renames = (rename_call)dlsym(RTLD_NEXT, "rename");
  int result = renames(from, to);
  if (result == 0 && copy_of(from, durable_from, sizeof durable_from) && copy_of(to, durable_to, sizeof durable_to))
    renames(durable_from, durable_to);
  return result;
}
