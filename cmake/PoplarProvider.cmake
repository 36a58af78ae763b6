# Who provides Poplar: Graphcore's SDK, or our IPU Model. Both give the same target names (poplar,
# poputil, popops, poplin, poprand, popnn, gcl, pva, popc_bin), so nothing below this file differs.
set(POPLAR_PROVIDER auto CACHE STRING "auto, sdk (Graphcore's Poplar SDK) or model (src/ipumodel)")
set_property(CACHE POPLAR_PROVIDER PROPERTY STRINGS auto sdk model)

if(NOT POPLAR_PROVIDER MATCHES "^(auto|sdk|model)$")
  message(FATAL_ERROR "POPLAR_PROVIDER is '${POPLAR_PROVIDER}'; it must be auto, sdk or model")
endif()

set(SPILLWAY_PROVIDER model)
if(NOT POPLAR_PROVIDER STREQUAL "model")
  find_package(poplar CONFIG QUIET)
  if(poplar_FOUND)
    find_package(poplibs CONFIG REQUIRED)
    find_package(gcl CONFIG QUIET)
    set(SPILLWAY_PROVIDER sdk)
  elseif(POPLAR_PROVIDER STREQUAL "sdk")
    message(FATAL_ERROR "POPLAR_PROVIDER=sdk, but no Poplar SDK was found. Source the SDK's enable.sh "
                        "(both poplar and popart ship one) in this shell, or use POPLAR_PROVIDER=model.")
  endif()
endif()
message(STATUS "Poplar provider: ${SPILLWAY_PROVIDER}")

if(SPILLWAY_PROVIDER STREQUAL "model")
  add_subdirectory(src/ipumodel)
endif()
