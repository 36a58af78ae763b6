# Fetches uPlot (MIT) from the npm registry, pinned by version and hash, for the pages of
# `spillway report`. Sets UPLOT_DIR, or leaves it empty when the registry cannot be reached: the rest
# builds, and `spillway report` then says how to mend it. A tarball at hand: -DUPLOT_TARBALL=FILE.
set(UPLOT_VERSION 1.6.32)
set(UPLOT_SHA512 2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023)
set(UPLOT_TARBALL "" CACHE FILEPATH "uplot-${UPLOT_VERSION}.tgz from the npm registry, if already at hand")

set(tarball ${CMAKE_BINARY_DIR}/npm/uplot-${UPLOT_VERSION}.tgz)
if(UPLOT_TARBALL)
  set(tarball ${UPLOT_TARBALL})
endif()
set(actual "")
if(EXISTS ${tarball})
  file(SHA512 ${tarball} actual)
endif()
if(NOT actual STREQUAL UPLOT_SHA512)
  set(registry https://registry.npmjs.org)
  if(DEFINED ENV{npm_config_registry})
    string(REGEX REPLACE "/$" "" registry "$ENV{npm_config_registry}")
  endif()
  file(DOWNLOAD ${registry}/uplot/-/uplot-${UPLOT_VERSION}.tgz ${tarball} STATUS status TIMEOUT 60)
  set(actual "")
  if(EXISTS ${tarball})
    file(SHA512 ${tarball} actual)
  endif()
endif()

set(UPLOT_DIR "")
if(actual STREQUAL UPLOT_SHA512)
  file(ARCHIVE_EXTRACT INPUT ${tarball} DESTINATION ${CMAKE_BINARY_DIR}/npm)
  set(UPLOT_DIR ${CMAKE_BINARY_DIR}/npm/package)
else()
  message(WARNING "uPlot ${UPLOT_VERSION} could not be fetched from the npm registry (${status}); "
                  "spillway report will not work. Configure again with network access, or with "
                  "-DUPLOT_TARBALL=uplot-${UPLOT_VERSION}.tgz.")
endif()
