// An interface file, as generators of packages write it.
#include "HTP/QnnHtpCommon.h"
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"
#define THIS_PKG_NAME "HvxPackage"
DEFINE_UNIQ_TY()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Relu)
BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_Relu)
END_PKG_OPS_OPTS_LIST()
static constexpr auto sg_packageName = THIS_PKG_NAME;
static std::array<const char *, 1> sg_opNames{{"Relu"}};
static Qnn_ApiVersion_t sg_sdkApiVersion = QNN_HTP_API_VERSION_INIT;
static QnnOpPackage_Info_t sg_packageInfo = {sg_packageName, sg_opNames.data(), nullptr, sg_opNames.size(), nullptr, 0, "v2.1", &sg_sdkApiVersion, nullptr, nullptr, {0}};
static QnnOpPackage_GlobalInfrastructure_t sg_globalInfra = nullptr;
static bool sg_packageInitialized = false;
static QnnLog_Callback_t sg_logCallback = nullptr;
static QnnLog_Level_t sg_maxLogLevel = (QnnLog_Level_t)0;
INIT_PACKAGE_OP_DEF()
INIT_PACKAGE_OPTIMIZATION_DEF()
INIT_PACKAGE_PARAM_ORDER_DEF()
LIST_PACKAGE_AXIS_PARAMS()
LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()
INIT_PKG_CORE_INIT_FUNC()
Qnn_ErrorHandle_t PkgInit(QnnOpPackage_GlobalInfrastructure_t infrastructure) {
  if (sg_packageInitialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
  REGISTER_PACKAGE_OPS()
  REGISTER_PACKAGE_OPTIMIZATIONS()
  REGISTER_PACKAGE_PARAM_ORDERS()
  REGISTER_PACKAGE_AXIS_PARAMS()
  REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS()
  sg_globalInfra = infrastructure; sg_packageInitialized = true; return QNN_SUCCESS;
}
Qnn_ErrorHandle_t PkgGetInfo(const QnnOpPackage_Info_t **info) { if (!info) return QNN_OP_PACKAGE_ERROR_INVALID_INFO; sg_packageInfo = QNN_OP_PACKAGE_INFO_INIT; sg_packageInfo.sdkBuildId = QNN_SDK_BUILD_ID; *info = &sg_packageInfo; return QNN_SUCCESS; }
Qnn_ErrorHandle_t PkgLogInitialize(QnnLog_Callback_t callback, QnnLog_Level_t maxLogLevel) { sg_logCallback = callback; sg_maxLogLevel = maxLogLevel; return QNN_SUCCESS; }
Qnn_ErrorHandle_t PkgLogSetLevel(QnnLog_Level_t l) { if (l < QNN_LOG_LEVEL_ERROR) return QNN_SUCCESS; sg_maxLogLevel = l; return QNN_SUCCESS; }
Qnn_ErrorHandle_t PkgLogTerminate() { return QNN_SUCCESS; }
Qnn_ErrorHandle_t PkgValidate(Qnn_OpConfig_t opConfig) {
  if (std::string(sg_packageName) != opConfig.v1.packageName) return QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE;
  if (std::string(opConfig.v1.typeName) == "Relu") { if (opConfig.v1.numOfParams != 0) return QNN_OP_PACKAGE_ERROR_VALIDATION_FAILURE; }
  return QNN_SUCCESS;
}
Qnn_ErrorHandle_t PkgCreate(QnnOpPackage_GraphInfrastructure_t g, QnnOpPackage_Node_t n, QnnOpPackage_OpImpl_t *o) { return QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE; }
Qnn_ErrorHandle_t PkgFree(QnnOpPackage_OpImpl_t o) { return QNN_OP_PACKAGE_ERROR_UNSUPPORTED_FEATURE; }
Qnn_ErrorHandle_t PkgTerminate() { return QNN_SUCCESS; }
extern "C" Qnn_ErrorHandle_t PkgInterfaceProvider(QnnOpPackage_Interface_t *interface) {
  if (!interface) return QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT;
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = PkgInit; interface->v1_4.terminate = PkgTerminate; interface->v1_4.getInfo = PkgGetInfo;
  interface->v1_4.validateOpConfig = PkgValidate; interface->v1_4.createOpImpl = PkgCreate; interface->v1_4.freeOpImpl = PkgFree;
  interface->v1_4.logInitialize = PkgLogInitialize; interface->v1_4.logSetLevel = PkgLogSetLevel; interface->v1_4.logTerminate = PkgLogTerminate;
  return QNN_SUCCESS;
}
