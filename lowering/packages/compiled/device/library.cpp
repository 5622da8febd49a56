// The table of a built package, and the calls into it. Compiled once into each library.
#include <algorithm>
#include <cstdarg>
#ifndef __hexagon__
#include <cxxabi.h>
#endif

#include "register.h"

namespace htp {
// Made at first use: other files register before main.
static std::vector<Row> &rows()
{
    static std::vector<Row> table;
    return table;
}
static std::vector<std::pair<void *, Hook>> &hooks()
{
    static std::vector<std::pair<void *, Hook>> table;
    return table;
}
static Hook hook_of(const void *function)
{
    for (const auto &pair : hooks())
        if (pair.first == function) return pair.second;
    return nullptr;
}
static std::string logged;

void add(Row row) { rows().push_back(std::move(row)); }
void add_hook(void *function, Hook hook) { hooks().push_back({function, hook}); }

// The last lines of errors and warnings go along with a failure.
void log(const char *level, const char *format, ...)
{
    char line[256];
    va_list given;
    va_start(given, format);
    vsnprintf(line, sizeof line, format, given);
    va_end(given);
    if (logged.size() < 500 && (!strcmp(level, "error") || !strcmp(level, "ERROR")))
        logged += (logged.empty() ? "" : "; ") + std::string(line);
}

// The functions that are declared and have no body; the build defines the list.
extern "C" void *const htp_bodiless[];
static bool has_body(const void *address)
{
    for (void *const *at = htp_bodiless; *at; at++)
        if (*at == address) return false;
    return true;
}

static const Arguments *running;
void leave_dims()
{
    for (size_t i = 0; i < running->tensors.size(); i++)
        for (size_t d = 0; d < 4; d++) running->from[i].dims[d] = running->tensors[i]->dim(d);
}

static void call(uint32_t task, const Row &row, htp_tensor *tensors, uint32_t count, htp_reply &reply)
{
    Arguments given;
    given.from = tensors;
    given.count = count;
    if ((task == HTP_RUN || task == HTP_APPLY) && !has_body(row.address)) {
        reply.status = HTP_NO_BODY;
        return;
    }
    if (task == HTP_RUN) {
        running = &given;
        try {
            reply.status = static_cast<int32_t>(row.run(row.address, given));
        } catch (const End &end) {
            if (end.status != HTP_THREW) throw;  // The dims that it leaves say it.
        }
        leave_dims();
        return;
    }
    if (task == HTP_APPLY) {
        reply.value = row.apply(row.address, tensors, count);
        return;
    }
    // As Op: outputs and scratch, which the kernel may write, then what it reads.
    size_t next = 0;
    for (const Parameter &parameter : row.parameters) {
        if (parameter.is_special || next >= count) continue;
        given.tensors.push_back(std::make_unique<Tensor>(tensors[next++]));
        (parameter.is_const ? given.op.inputs : given.op.outputs).push_back(given.tensors.back().get());
    }
    if (task == HTP_COST) {
        reply.value = row.cost_function ? row.cost_function(&given.op) : row.cost;
        return;
    }
    const Hook hook = hook_of(row.address);
    if (hook) reply.status = static_cast<int32_t>(hook(OpIoPtrs(given.graph), given.op));
    for (size_t i = 0; i < next; i++)
        for (size_t d = 0; d < 4; d++) tensors[i].dims[d] = given.tensors[i]->dim(d);
}
}  // namespace htp

extern "C" const char *htp_kernels()
{
    static std::string text;
    text.clear();
    auto add = [](const std::string &field, char end) { (text += field) += end; };
    for (const htp::Row &row : htp::rows()) {
        for (const char *field : {row.op, row.function, row.file}) add(field, '\t');
        const bool flags[] = {htp::has_body(row.address), row.cost_function != nullptr, htp::hook_of(row.address) != nullptr};
        add(std::to_string(row.line), '\t');
        for (bool flag : flags) add(flag ? "1" : "0", '\t');
        bool reads = false;
        for (const htp::Parameter &p : row.parameters) {
            if (p.is_special) continue;
            reads |= p.is_const;
            add(p.is_const ? "in" : reads ? "scratch" : "out", ' ');
            add(p.class_name, ',');
        }
        text += '\n';
    }
    return text.c_str();
}

#ifndef __hexagon__
// The end of a function that is declared and has no body.
extern "C" void htp_none(const char *name)
{
    char *readable = abi::__cxa_demangle(name, nullptr, nullptr, nullptr);
    const std::string function = readable ? readable : name;
    free(readable);
    throw htp::End{HTP_LACKS, function + " is declared and has no body"};
}
#endif

extern "C" void htp_call(uint32_t task, uint32_t kernel, htp_tensor *tensors, uint32_t count, htp_reply *reply)
{
    htp::logged.clear();
    std::string text;
    try {
        htp::call(task, htp::rows().at(kernel), tensors, count, *reply);
        text = htp::logged;
    } catch (const htp::End &end) {
        reply->status = end.status;
        text = end.text;
    } catch (const std::exception &error) {
        reply->status = HTP_THREW;
        text = error.what();
    } catch (...) {
        reply->status = HTP_THREW;
        text = "a value that is not a std::exception";
    }
    reply->text[text.copy(reply->text, sizeof reply->text - 1)] = 0;
}
