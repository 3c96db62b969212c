/* `intentls` of the platform wheels: asks a running daemon before a tool, and is the Python program in everything else.

   `intentls hook AGENT` before a tool that only names files is put to the daemon (faces/hook/daemon_server.py), as
   faces/hook/daemon_client.py would; its answer is printed, its exit code is ours. Nothing is decided here. Where
   anything is missing, foreign, too large, too slow or in doubt, this process becomes `intentls-python`, the script
   beside it, with the same arguments and the event on stdin. The names of agents and tools, the version and the limits
   are in hook_tables.h, which build.py makes from the Python sources. */

#define _GNU_SOURCE /* struct ucred, memmem */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#define MTIME st_mtimespec
#else
#define MTIME st_mtim
#endif
#include "hook_tables.h"

#define PYTHON "-python" /* the script beside this program has its name and this */
#define NOTE_SIZE 4096   /* of what the Python program notes for this one */
#define ANSWER_SIZE (1 << 20)
#define EXIT_REFUSED 2

extern char **environ;

typedef struct {
  char *bytes;
  size_t size, room;
} Buffer;

static char program[PATH_MAX + sizeof PYTHON]; /* this file, without links */
static char key[128];          /* what tells this file from every other, also from a later one of its name */
static long long started_ms;
static Buffer event;
static int event_ended; /* whether all of the event is in `event` */

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int find_program(void) {
#ifdef __APPLE__
  char path[PATH_MAX];
  uint32_t size = sizeof path;
  return _NSGetExecutablePath(path, &size) == 0 && realpath(path, program) != NULL;
#else
  ssize_t size = readlink("/proc/self/exe", program, PATH_MAX);
  return size > 0 && size < PATH_MAX;
#endif
}

/* Room for `more` bytes in one piece; 0 if there is no memory. */
static int grow(Buffer *buffer, size_t more) {
  if (buffer->room - buffer->size >= more) return 1;
  size_t room = (buffer->size + more) * 2 + (1 << 14);
  char *bytes = realloc(buffer->bytes, room);
  if (bytes == NULL) return 0;
  buffer->bytes = bytes;
  buffer->room = room;
  return 1;
}

static int append(Buffer *buffer, const void *bytes, size_t size) {
  if (!grow(buffer, size)) return 0;
  memcpy(buffer->bytes + buffer->size, bytes, size);
  buffer->size += size;
  return 1;
}

static int write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t done = write(file, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return 0;
    bytes += done;
    size -= (size_t)done;
  }
  return 1;
}

static _Noreturn void refuse(const char *line) {
  write_all(2, line, strlen(line));
  _exit(EXIT_REFUSED);
}

/* Wait until `file` is ready; 0 if it is not before `deadline_ms`. */
static int wait_for(int file, short events, long long deadline_ms) {
  for (;;) {
    long long left = deadline_ms - now_ms();
    if (left <= 0) return 0;
    struct pollfd ready = {file, events, 0};
    int count = poll(&ready, 1, (int)left);
    if (count > 0) return 1;
    if (count < 0 && errno != EINTR) return 0;
  }
}

/* -- the Python program ------------------------------------------------------------------------------------------ */

/* What does not fit into the pipe, and what is still to come, is passed on by a child while Python reads. */
static void pass_on(int pipe_end, size_t written) {
  char piece[1 << 16];
  ssize_t size;
  close(1); /* else who called us would wait for our end, too */
  close(2);
  alarm(PASS_ON_S);
  signal(SIGPIPE, SIG_DFL);
  fcntl(pipe_end, F_SETFL, 0);
  if (write_all(pipe_end, event.bytes + written, event.size - written) && !event_ended)
    while ((size = read(0, piece, sizeof piece)) > 0 && write_all(pipe_end, piece, (size_t)size)) {
    }
  _exit(0);
}

/* Make what was read of the event the stdin of what comes next; 0 if that can't be done. */
static int give_back_event(void) {
  int ends[2];
  size_t written = 0;
  if (pipe(ends) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) return 0;
  while (written < event.size) {
    ssize_t size = write(ends[1], event.bytes + written, event.size - written);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno != EAGAIN) return 0;
    if (size < 0) break;
    written += (size_t)size;
  }
  if (written < event.size || !event_ended) {
    pid_t child = fork();
    if (child < 0) return 0;
    if (child == 0) {
      close(ends[0]);
      pass_on(ends[1], written);
    }
  }
  close(ends[1]);
  if (dup2(ends[0], 0) != 0) return 0;
  close(ends[0]);
  return 1;
}

/* Become the Python program. `for_hook`: it is told how long this one took, so that both keep one time limit. */
static _Noreturn void become_python(char **arguments, int for_hook) {
  if (for_hook) {
    char note[160];
    snprintf(note, sizeof note, "%lld %s", now_ms() - started_ms, key);
    if (event.room > 0 && !give_back_event()) refuse(CANT_START);
    if (setenv(CLIENT_VARIABLE, note, 1) != 0) refuse(CANT_START);
  }
  strcat(program, PYTHON);
  arguments[0] = program;
  execv(program, arguments);
  refuse(CANT_START);
}

/* -- the question ------------------------------------------------------------------------------------------------ */

static const Agent *agent_of(const char *name) {
  for (const Agent *agent = AGENTS; agent->name != NULL; agent++)
    if (strcmp(agent->name, name) == 0) return agent;
  return NULL;
}

/* `--answer` and `--wait SECONDS`, as `intentls init` writes them; 0 for anything else. */
static int read_options(char **options, int *always) {
  int waits = 0;
  for (; *options != NULL; options++) {
    if (strcmp(*options, "--answer") == 0) {
      *always = 1;
    } else if (strcmp(*options, "--wait") == 0 && !waits && options[1] != NULL && options[1][0] != 0 &&
               options[1][strspn(options[1], "0123456789")] == 0) {
      waits = 1;
      options++;
    } else {
      return 0;
    }
  }
  return 1;
}

/* All of stdin; 0 if it is more than this program takes, or can't be read. */
static int read_event(void) {
  long long deadline = started_ms + TIMEOUT_MS;
  while (event.size <= MAX_EVENT) {
    if (!grow(&event, 1 << 16)) return 0;
    if (!wait_for(0, POLLIN, deadline)) refuse(TIMED_OUT);
    ssize_t size = read(0, event.bytes + event.size, event.room - event.size);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return 0;
    if (size == 0) return event_ended = 1;
    event.size += (size_t)size;
  }
  return 0;
}

/* Whether `name` is the text at `name_of` (a key of the event), which stands there once and plainly. */
static int text_at(const char *name_of, const char **text, size_t *size) {
  char quoted[64];
  size_t length = (size_t)snprintf(quoted, sizeof quoted, "\"%s\"", name_of);
  const char *end = event.bytes + event.size;
  const char *at = memmem(event.bytes, event.size, quoted, length);
  if (at == NULL) return 0;
  at += length;
  if (memmem(at, (size_t)(end - at), quoted, length) != NULL) return 0;
  const char *limit = end - at > MAX_TEXT ? at + MAX_TEXT : end;
  int colons = 0;
  for (; at < limit && *at != '"'; at++) {
    if (*at == ':')
      colons++;
    else if (strchr(" \t\n\r", *at) == NULL || *at == 0)
      return 0;
  }
  if (at == limit || colons != 1) return 0;
  *text = ++at;
  while (at < limit && *at != '"') {
    if (*at == '\\') return 0;
    at++;
  }
  *size = (size_t)(at - *text);
  return at < limit;
}

static int is_name(const char *name, const char *text, size_t size) {
  return strlen(name) == size && memcmp(name, text, size) == 0;
}

/* Whether a daemon may be asked about the event, as faces/hook/daemon_client.py says. In doubt it may not. */
static int is_daemon_safe(const Agent *agent) {
  const char *text;
  size_t size;
  if (!text_at(agent->event_key, &text, &size) || !is_name(agent->event, text, size)) return 0;
  if (!text_at(agent->tool_key, &text, &size)) return 0;
  for (const char *const *tool = agent->tools; *tool != NULL; tool++)
    if (is_name(*tool, text, size)) return 1;
  return 0;
}

/* The parts of a message, each after its length in eight bytes. */
static int put(Buffer *message, const void *bytes, size_t size) {
  unsigned char length[8];
  for (int place = 0; place < 8; place++) length[place] = (unsigned char)((unsigned long long)size >> (56 - 8 * place));
  return append(message, length, sizeof length) && append(message, bytes, size);
}

static const char *take(const char *at, const char *end, const char **part, size_t *size) {
  unsigned long long length = 0;
  if (at == NULL || end - at < 8) return NULL;
  for (int place = 0; place < 8; place++) length = length << 8 | (unsigned char)at[place];
  if (length > (unsigned long long)(end - at - 8)) return NULL;
  *part = at + 8;
  *size = (size_t)length;
  return at + 8 + length;
}

/* What an answer depends on in this process: directory, file mode mask, environment, number. */
static int put_process(Buffer *message) {
  char text[256], directory[PATH_MAX];
  struct stat here, top;
  Buffer names = {0};
  mode_t mask = umask(077);
  umask(mask);
  if (getcwd(directory, sizeof directory) == NULL || !put(message, directory, strlen(directory))) return 0;
  if (lstat(".", &here) != 0 || lstat("/", &top) != 0) return 0;
  int size = snprintf(text, sizeof text, "%lld:%llu %lld:%llu", (long long)here.st_dev, (unsigned long long)here.st_ino,
                      (long long)top.st_dev, (unsigned long long)top.st_ino);
  if (!put(message, text, (size_t)size)) return 0;
  size = snprintf(text, sizeof text, "%d", (int)mask);
  if (!put(message, text, (size_t)size)) return 0;
  for (char **pair = environ; *pair != NULL; pair++)
    if (!append(&names, *pair, strlen(*pair) + 1)) return 0;
  if (!put(message, names.bytes, names.size)) return 0;
  size = snprintf(text, sizeof text, "%ld", (long)getpid());
  return put(message, text, (size_t)size);
}

/* Whether this is of this user, and of the kind (S_IFDIR, S_IFSOCK); `mask`: what others must not be able to do. */
static int is_own(const struct stat *status, mode_t kind, mode_t mask) {
  return (status->st_mode & S_IFMT) == kind && status->st_uid == geteuid() && (status->st_mode & mask) == 0;
}

/* What the Python program noted for this very file: version, name of the socket, identity; each on a line. */
static char *read_note(const char *directory, char **name, char **identity) {
  static char note[NOTE_SIZE];
  char path[PATH_MAX];
  struct stat status;
  if (snprintf(path, sizeof path, "%s/client-%s", directory, key) >= (int)sizeof path) return NULL;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return NULL;
  ssize_t size = fstat(file, &status) == 0 && is_own(&status, S_IFREG, 022) ? read(file, note, sizeof note - 1) : -1;
  close(file);
  if (size <= 0 || size == sizeof note - 1) return NULL;
  note[size] = 0;
  if ((*name = strchr(note, '\n')) == NULL) return NULL;
  *(*name)++ = 0;
  if ((*identity = strchr(*name, '\n')) == NULL) return NULL;
  *(*identity)++ = 0;
  return strcmp(note, VERSION) == 0 && strchr(*name, '/') == NULL ? note : NULL;
}

static int is_same_user(int peer) {
#ifdef __APPLE__
  uid_t user;
  gid_t group;
  return getpeereid(peer, &user, &group) == 0 && user == geteuid();
#else
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 && credentials.uid == geteuid();
#endif
}

/* Put the question and read the whole answer; 0 where that takes too long or the other end is not ours. */
static int exchange(const struct sockaddr_un *address, const Buffer *question, Buffer *answer) {
  long long deadline = now_ms() + MAX_ANSWER_MS;
  int peer = socket(AF_UNIX, SOCK_STREAM, 0);
  int done = 0;
  if (peer < 0) return 0;
  fcntl(peer, F_SETFD, FD_CLOEXEC);
  fcntl(peer, F_SETFL, O_NONBLOCK);
  if (connect(peer, (const struct sockaddr *)address, sizeof *address) != 0 || !is_same_user(peer)) goto end;
  for (size_t sent = 0; sent < question->size;) {
    if (!wait_for(peer, POLLOUT, deadline)) goto end;
    ssize_t size = write(peer, question->bytes + sent, question->size - sent);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size <= 0) goto end;
    sent += (size_t)size;
  }
  shutdown(peer, SHUT_WR);
  while (answer->size < ANSWER_SIZE) {
    if (!grow(answer, 1 << 14) || !wait_for(peer, POLLIN, deadline)) goto end;
    ssize_t size = read(peer, answer->bytes + answer->size, answer->room - answer->size);
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) goto end;
    if (size == 0) {
      done = 1;
      break;
    }
    answer->size += (size_t)size;
  }
end:
  close(peer);
  return done;
}

/* Ask, print what is answered and exit; returns where there is no answer, with nothing printed. */
static void ask(const Agent *agent, int always) {
  const char *runtime = getenv("XDG_RUNTIME_DIR"), *off = getenv(DAEMON_VARIABLE);
  char directory[PATH_MAX], *name, *identity;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct stat status;
  Buffer question = {0}, answer = {0};
  const char *code, *out, *err, *at;
  size_t code_size, out_size, err_size;
  int size;

  if (off != NULL && strcmp(off, DAEMON_OFF) == 0) return;
  if (runtime != NULL && runtime[0] == '/')
    size = snprintf(directory, sizeof directory, "%s/intentls", runtime);
  else
    size = snprintf(directory, sizeof directory, "/tmp/intentls-%u", (unsigned)geteuid());
  if (size >= (int)sizeof directory || lstat(directory, &status) != 0 || !is_own(&status, S_IFDIR, 077)) return;
  if (read_note(directory, &name, &identity) == NULL) return;
  size = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", directory, name);
  if (size >= (int)sizeof address.sun_path) return;
  if (lstat(address.sun_path, &status) != 0 || !is_own(&status, S_IFSOCK, 0)) return;
  if (!read_event() || !is_daemon_safe(agent)) return;
  if (!put(&question, identity, strlen(identity)) || !put(&question, agent->name, strlen(agent->name)) ||
      !put(&question, "always", always ? 6 : 0) || !put_process(&question) ||
      !put(&question, event.bytes, event.size) || !exchange(&address, &question, &answer))
    return;
  at = take(answer.bytes, answer.bytes + answer.size, &code, &code_size);
  at = take(at, answer.bytes + answer.size, &out, &out_size);
  at = take(at, answer.bytes + answer.size, &err, &err_size);
  if (at == NULL || at != answer.bytes + answer.size) return;
  if (code_size != 1 || (*code != '0' && *code != '0' + EXIT_REFUSED)) return;
  write_all(2, err, err_size);
  if (!write_all(1, out, out_size)) refuse(NOT_WRITTEN);
  _exit(*code - '0');
}

int main(int count, char **arguments) {
  struct stat status;
  const Agent *agent = count > 2 && strcmp(arguments[1], "hook") == 0 ? agent_of(arguments[2]) : NULL;
  int always = 0;
  started_ms = now_ms();
  if (count < 1 || !find_program()) refuse(CANT_START);
  if (agent == NULL) become_python(arguments, 0);
  if (stat(program, &status) != 0) refuse(CANT_START);
  snprintf(key, sizeof key, "%llx-%llx-%llx-%llx-%llx", (unsigned long long)status.st_dev,
           (unsigned long long)status.st_ino, (unsigned long long)status.st_mtime,
           (unsigned long long)status.MTIME.tv_nsec, (unsigned long long)status.st_size);
  if (read_options(arguments + 3, &always)) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    ask(agent, always);
    signal(SIGPIPE, before);
  }
  become_python(arguments, 1);
}
