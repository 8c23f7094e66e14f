/* The build of yajl installs its headers under this name. */
#include "yajl/src/api/yajl_common.h"
