# One INTERFACE target carries what every target of ours compiles with; sanitizers are build-wide,
# because a sanitized executable cannot load an unsanitized copy of the same library.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}") # an installed tree may be moved
set(SPILLWAY_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")
option(SPILLWAY_WERROR "Treat warnings as errors" OFF)

add_library(project_options INTERFACE)
target_compile_features(project_options INTERFACE cxx_std_20)
target_compile_options(project_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       $<$<BOOL:${SPILLWAY_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(project_options INTERFACE -Wno-restrict) # false alarms in std::string (GCC bug 105651)
endif()
if(SPILLWAY_SANITIZE)
  add_compile_options(-fsanitize=${SPILLWAY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SPILLWAY_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What only silences a warning makes no other object.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_IGNOREOPTIONS=-Wno-restrict ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
