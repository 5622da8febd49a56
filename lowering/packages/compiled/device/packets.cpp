// A plugin of QEMU that counts the packets of the calls between two marks of `register.h`.
// The declarations are those of QEMU's plugin interface, version 1; it needs no header of QEMU.
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#define EXPORTED extern "C" __attribute__((visibility("default")))
extern "C" {
struct qemu_plugin_tb;
size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb *);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(qemu_plugin_tb *, void (*)(unsigned, void *), int, void *);
void qemu_plugin_register_vcpu_syscall_cb(
    uint64_t, void (*)(uint64_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
}
EXPORTED int qemu_plugin_version;
int qemu_plugin_version = 1;

static uint64_t executed, begun;
static void runs(unsigned, void *packets) { executed += reinterpret_cast<uintptr_t>(packets); }
static void translated(uint64_t, qemu_plugin_tb *block)
{
    // A packet is one instruction to QEMU.
    qemu_plugin_register_vcpu_tb_exec_cb(block, runs, 0, reinterpret_cast<void *>(qemu_plugin_tb_n_insns(block)));
}
static void called(uint64_t, unsigned, int64_t number, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)
{
    if (number == 5000) begun = executed;
    if (number == 5001) std::fprintf(stderr, "packets %" PRIu64 "\n", executed - begun);
}
EXPORTED int qemu_plugin_install(uint64_t id, const void *, int, char **)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
