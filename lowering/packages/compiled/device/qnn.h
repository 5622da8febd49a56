// The types by which an interface file, params and their defaults are written.
#pragma once
#include <cstdint>

#define THIS_PKG_NAME_STR HTP_TEXT(THIS_PKG_NAME)

using Qnn_ErrorHandle_t = uint64_t;
#define QNN_SUCCESS 0
#define QNN_OP_PACKAGE_NO_ERROR 0
#define QNN_OP_PACKAGE_ERROR_GENERAL 2000
#define QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT 2001
#define QNN_OP_PACKAGE_ERROR_INVALID_INFO 2002
#define QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE 2003
#define QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED 2004
#define QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED 2005
#define QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE 2006

enum Qnn_DataType_t : uint32_t {
    QNN_DATATYPE_INT_8 = 0x0008, QNN_DATATYPE_INT_16 = 0x0016, QNN_DATATYPE_INT_32 = 0x0032,
    QNN_DATATYPE_INT_64 = 0x0064, QNN_DATATYPE_UINT_8 = 0x0108, QNN_DATATYPE_UINT_16 = 0x0116,
    QNN_DATATYPE_UINT_32 = 0x0132, QNN_DATATYPE_UINT_64 = 0x0164, QNN_DATATYPE_FLOAT_16 = 0x0216,
    QNN_DATATYPE_FLOAT_32 = 0x0232, QNN_DATATYPE_FLOAT_64 = 0x0264,
    QNN_DATATYPE_SFIXED_POINT_8 = 0x0308, QNN_DATATYPE_SFIXED_POINT_16 = 0x0316,
    QNN_DATATYPE_SFIXED_POINT_32 = 0x0332, QNN_DATATYPE_UFIXED_POINT_8 = 0x0408,
    QNN_DATATYPE_UFIXED_POINT_16 = 0x0416, QNN_DATATYPE_UFIXED_POINT_32 = 0x0432,
    QNN_DATATYPE_BOOL_8 = 0x0508, QNN_DATATYPE_STRING = 0x0608, QNN_DATATYPE_UNDEFINED = 0x7FFFFFFF
};
enum Qnn_ParamType_t : uint32_t { QNN_PARAMTYPE_SCALAR, QNN_PARAMTYPE_TENSOR };
enum Qnn_TensorVersion_t : uint32_t { QNN_TENSOR_VERSION_1 = 1, QNN_TENSOR_VERSION_2 = 2 };
enum Qnn_TensorType_t : uint32_t {
    QNN_TENSOR_TYPE_APP_WRITE, QNN_TENSOR_TYPE_APP_READ, QNN_TENSOR_TYPE_APP_READWRITE,
    QNN_TENSOR_TYPE_NATIVE, QNN_TENSOR_TYPE_STATIC, QNN_TENSOR_TYPE_NULL
};
enum Qnn_TensorDataFormat_t : uint32_t { QNN_TENSOR_DATA_FORMAT_FLAT_BUFFER };
enum Qnn_TensorMemType_t : uint32_t { QNN_TENSORMEMTYPE_RAW, QNN_TENSORMEMTYPE_MEMHANDLE };
enum Qnn_OpConfigVersion_t : uint32_t { QNN_OPCONFIG_VERSION_1 = 1 };
enum Qnn_Definition_t : uint32_t { QNN_DEFINITION_IMPL_GENERATED, QNN_DEFINITION_DEFINED, QNN_DEFINITION_UNDEFINED = 0x7FFFFFFF };
enum Qnn_QuantizationEncoding_t : uint32_t { QNN_QUANTIZATION_ENCODING_SCALE_OFFSET, QNN_QUANTIZATION_ENCODING_AXIS_SCALE_OFFSET, QNN_QUANTIZATION_ENCODING_UNDEFINED = 0x7FFFFFFF };

struct Qnn_Scalar_t {
    Qnn_DataType_t dataType;
    union {
        float floatValue;
        double doubleValue;
        uint64_t uint64Value;
        int64_t int64Value;
        uint32_t uint32Value;
        int32_t int32Value;
        uint16_t uint16Value;
        int16_t int16Value;
        uint8_t uint8Value;
        int8_t int8Value;
        uint8_t bool8Value;
        const char *stringValue;
    };
};
struct Qnn_ScaleOffset_t {
    float scale;
    int32_t offset;
};
struct Qnn_QuantizeParams_t {
    Qnn_Definition_t encodingDefinition;
    Qnn_QuantizationEncoding_t quantizationEncoding;
    union {
        Qnn_ScaleOffset_t scaleOffsetEncoding;
    };
};
struct Qnn_ClientBuffer_t {
    void *data;
    uint32_t dataSize;
};
struct Qnn_TensorV1_t {
    uint32_t id;
    const char *name;
    Qnn_TensorType_t type;
    Qnn_TensorDataFormat_t dataFormat;
    Qnn_DataType_t dataType;
    Qnn_QuantizeParams_t quantizeParams;
    uint32_t rank;
    uint32_t *dimensions;
    Qnn_TensorMemType_t memType;
    union {
        Qnn_ClientBuffer_t clientBuf;
        void *memHandle;
    };
};
struct Qnn_Tensor_t {
    Qnn_TensorVersion_t version;
    union {
        Qnn_TensorV1_t v1;
    };
};
struct Qnn_Param_t {
    Qnn_ParamType_t paramType;
    const char *name;
    union {
        Qnn_Scalar_t scalarParam;
        Qnn_Tensor_t tensorParam;
    };
};
struct Qnn_OpConfigV1_t {
    const char *name, *packageName, *typeName;
    uint32_t numOfParams;
    Qnn_Param_t *params;
    uint32_t numOfInputs;
    Qnn_Tensor_t *inputTensors;
    uint32_t numOfOutputs;
    Qnn_Tensor_t *outputTensors;
};
struct Qnn_OpConfig_t {
    Qnn_OpConfigVersion_t version;
    union {
        Qnn_OpConfigV1_t v1;
    };
};
struct Qnn_Version_t {
    uint32_t major, minor, patch;
};
struct Qnn_ApiVersion_t {
    Qnn_Version_t coreApiVersion, backendApiVersion;
};
#define QNN_API_VERSION_MAJOR 2
#define QNN_API_VERSION_MINOR 0
#define QNN_API_VERSION_PATCH 0
#define QNN_HTP_API_VERSION_INIT {{QNN_API_VERSION_MAJOR, 0, 0}, {5, 0, 0}}

// Handles that only the device looks into.
using QnnOpPackage_PackageInfo_t = struct HtpPackageInfo *;
using QnnOpPackage_GraphInfrastructure_t = struct HtpGraphInfrastructure *;
using QnnOpPackage_GlobalInfrastructure_t = struct HtpGlobalInfrastructure *;
using QnnOpPackage_Node_t = struct HtpNode *;
using QnnOpPackage_OpImpl_t = struct HtpOpImpl *;
struct QnnOpPackage_Optimization_t;
struct QnnOpPackage_Info_t {
    const char *packageName;
    const char **operationNames;
    const Qnn_OpConfig_t *operationInfo;
    uint32_t numOperations;
    const QnnOpPackage_Optimization_t *optimizations;
    uint32_t numOptimizations;
    const char *sdkBuildId;
    const Qnn_ApiVersion_t *sdkApiVersion;
    const QnnOpPackage_PackageInfo_t *packageInfo;
    const Qnn_Version_t *opsetVersion;
    uint64_t reserved[8];
};
#define QNN_OP_PACKAGE_INFO_INIT (QnnOpPackage_Info_t{})
#define QNN_SDK_BUILD_ID ""
enum QnnLog_Level_t : uint32_t {
    QNN_LOG_LEVEL_ERROR = 1, QNN_LOG_LEVEL_WARN, QNN_LOG_LEVEL_INFO, QNN_LOG_LEVEL_VERBOSE,
    QNN_LOG_LEVEL_DEBUG, QNN_LOG_LEVEL_MAX = 0x7FFFFFFF
};
using QnnLog_Callback_t = void (*)(const char *, QnnLog_Level_t, uint64_t, va_list);
struct QnnOpPackage_ImplementationV1_4_t {
    Qnn_ErrorHandle_t (*init)(QnnOpPackage_GlobalInfrastructure_t);
    Qnn_ErrorHandle_t (*terminate)();
    Qnn_ErrorHandle_t (*getInfo)(const QnnOpPackage_Info_t **);
    Qnn_ErrorHandle_t (*validateOpConfig)(Qnn_OpConfig_t);
    Qnn_ErrorHandle_t (*createOpImpl)(QnnOpPackage_GraphInfrastructure_t, QnnOpPackage_Node_t, QnnOpPackage_OpImpl_t *);
    Qnn_ErrorHandle_t (*freeOpImpl)(QnnOpPackage_OpImpl_t);
    Qnn_ErrorHandle_t (*logInitialize)(QnnLog_Callback_t, QnnLog_Level_t);
    Qnn_ErrorHandle_t (*logSetLevel)(QnnLog_Level_t);
    Qnn_ErrorHandle_t (*logTerminate)();
};
struct QnnOpPackage_Interface_t {
    Qnn_Version_t interfaceVersion;
    union {
        QnnOpPackage_ImplementationV1_4_t v1_4, v1_3, v2_0;
    };
};
#define QNN_API
