// The process in which kernels run: it loads libraries, maps the session's memories, and answers
// one request after the other on its socket, with file descriptors along the way.
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <typeinfo>
#include <vector>

#include "interface.h"

enum : uint32_t { LOAD, MAP, UNMAP, CALL };
struct Request {
    uint32_t kind, library, number, count;
    uint64_t nbytes;
};
using Kernels = const char *(*)();
using CallFunction = void (*)(uint32_t, uint32_t, htp_tensor *, uint32_t, htp_reply *);
struct Library {
    std::string path;
    CallFunction call;
};

static int SOCKET;
static std::map<uint32_t, Library> libraries;
static std::string running;
static std::map<uint32_t, std::pair<uint8_t *, size_t>> memories;

static void send_all(const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = write(SOCKET, static_cast<const char *>(data) + done, size - done);
        if (n <= 0) _exit(1);
        done += n;
    }
}

static bool receive(void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = read(SOCKET, static_cast<char *>(data) + done, size - done);
        if (n <= 0) return false;
        done += n;
    }
    return true;
}

// A request, with the descriptor that came along, if any.
static bool next_request(Request &request, int &descriptor)
{
    char control[CMSG_SPACE(sizeof(int))] = {};
    iovec part{&request, sizeof request};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t n = recvmsg(SOCKET, &message, 0);
    if (n <= 0) return false;
    if (cmsghdr *head = CMSG_FIRSTHDR(&message)) std::memcpy(&descriptor, CMSG_DATA(head), sizeof(int));
    return receive(reinterpret_cast<char *>(&request) + n, sizeof request - n);
}

// Note where the library that runs is, the innermost place first. All are places after calls but
// the one at `exact`.
__attribute__((noinline)) static void note_frames(htp_reply &reply, int exact)
{
    void *frames[64];
    const int count = backtrace(frames, 64);
    reply.frames = 0;
    for (int i = 0; i < count && reply.frames < 24; i++) {
        Dl_info where;
        if (dladdr(frames[i], &where) && where.dli_fname && running == where.dli_fname)
            reply.frame[reply.frames++] = reinterpret_cast<uint64_t>(frames[i]) - (i != exact) - reinterpret_cast<uint64_t>(where.dli_fbase);
    }
}

// A crash, or the signal with which the other side ends a call that takes too long.
static void crashed(int number)
{
    static htp_reply reply;
    reply.status = HTP_SIGNAL;
    reply.value = number;
    // Behind these two functions and the return of the handler comes the place of the signal.
    note_frames(reply, 3);
    send_all(&reply, sizeof reply);
    _exit(1);
}

// What every `throw` of the library calls: note where it is, and throw.
static htp_reply thrown;
extern "C" [[noreturn]] __attribute__((visibility("default"))) void __cxa_throw(void *object, std::type_info *type, void (*end)(void *))
{
    note_frames(thrown, -1);
    using Throw = void (*)(void *, std::type_info *, void (*)(void *));
    reinterpret_cast<Throw>(dlsym(RTLD_NEXT, "__cxa_throw"))(object, type, end);
    abort();
}

static void handle_signals()
{
    static char stack[65536];
    stack_t other{};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_handler = crashed;
    action.sa_flags = SA_ONSTACK;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(number, &action, nullptr);
    void *warm[1];
    backtrace(warm, 1);
}

static void load(const Request &request)
{
    std::string path(request.nbytes, '\0');
    if (!receive(path.data(), path.size())) _exit(0);
    running = path;
    void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto kernels = handle ? reinterpret_cast<Kernels>(dlsym(handle, "htp_kernels")) : nullptr;
    const std::string text = kernels ? kernels() : "";
    htp_reply reply{};
    reply.status = kernels ? 0 : HTP_THREW;
    reply.value = static_cast<double>(text.size());
    if (!kernels) snprintf(reply.text, sizeof reply.text, "%s", dlerror());
    else libraries[request.library] = {path, reinterpret_cast<CallFunction>(dlsym(handle, "htp_call"))};
    send_all(&reply, sizeof reply);
    send_all(text.data(), text.size());
}

static void call(const Request &request)
{
    std::vector<htp_tensor> tensors(request.count);
    if (!receive(tensors.data(), tensors.size() * sizeof(htp_tensor))) _exit(0);
    std::vector<uint64_t> offsets;
    for (htp_tensor &tensor : tensors) {
        offsets.push_back(tensor.offset);
        const auto memory = memories.find(tensor.memory);
        if (memory != memories.end()) tensor.offset += reinterpret_cast<uint64_t>(memory->second.first);
    }
    htp_reply reply{};
    const Library &library = libraries[request.library];
    running = library.path;
    const uint32_t task = request.nbytes;
    library.call(task, request.number, tensors.data(), request.count, &reply);
    if (reply.status == HTP_THREW) {
        reply.frames = thrown.frames;
        std::memcpy(reply.frame, thrown.frame, sizeof reply.frame);
    }
    send_all(&reply, sizeof reply);
    send_all(tensors.data(), tensors.size() * sizeof(htp_tensor));
}

int main(int, char **arguments)
{
    SOCKET = atoi(arguments[1]);
    handle_signals();
    // What a kernel prints is seen at once, even of one that ends here, and apart from results.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stdout, nullptr, _IONBF, 0);
    Request request;
    int descriptor = -1;
    while (next_request(request, descriptor)) {
        if (request.kind == LOAD) load(request);
        if (request.kind == CALL) call(request);
        if (request.kind == MAP) {
            void *const at = mmap(nullptr, request.nbytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
            if (at == MAP_FAILED) _exit(1);
            memories[request.number] = {static_cast<uint8_t *>(at), request.nbytes};
            close(descriptor);
        }
        if (request.kind == UNMAP) {
            munmap(memories[request.number].first, memories[request.number].second);
            memories.erase(request.number);
        }
    }
}
