// What the program that runs kernels and a built package say to each other: plain C structs.
#pragma once
#include <cstddef>
#include <cstdint>

enum htp_layout : uint32_t { HTP_FLAT, HTP_CROUTON, HTP_SHAPE };
enum htp_role : uint32_t { HTP_OUTPUT, HTP_INPUT, HTP_SCRATCH };
enum htp_task : uint32_t { HTP_RUN, HTP_COST, HTP_HOOK, HTP_APPLY };
// The status of a call beyond those of GraphStatus.
enum htp_status : int32_t { HTP_THREW = 1000, HTP_NO_BODY, HTP_LACKS, HTP_SIGNAL };

// A tensor: its bytes begin at `offset` of the memory number `memory`, or at that address where
// memory is HTP_ADDRESS. `dims` are four; `tcm` says where the tensor lies.
constexpr uint32_t HTP_ADDRESS = 0xffffffffu;
struct htp_tensor {
    uint64_t offset;
    uint64_t nbytes;
    uint64_t dims[4];
    uint32_t memory;
    uint32_t dtype;
    uint32_t layout;
    uint32_t tcm;
    float scale;
    int32_t zero;
};

// What a call gives back: a status of GraphStatus or htp_status, the value of a cost function,
// text of an error or of the log, and addresses in the library where it ended.
struct htp_reply {
    int32_t status;
    uint32_t frames;
    double value;
    uint64_t frame[24];
    char text[800];
};

extern "C" {
// The registered kernels, a line each: fields behind tabs.
__attribute__((visibility("default"))) const char *htp_kernels();
__attribute__((visibility("default"))) void htp_call(uint32_t task, uint32_t kernel,
                                                     htp_tensor *tensors, uint32_t count,
                                                     htp_reply *reply);
}
