# spillway_add_codelets(TARGET SOURCES a.cpp b.cpp ... [HEADERS x.hpp ...] [FLAGS -O3 ...]
#                       [WORKERS n])
# Compiles vertex sources with popc, the provider's own, into ${CMAKE_BINARY_DIR}/lib/TARGET.gp. WORKERS:
# for a machine of the IPU Model with that many worker contexts; hardware has six, whatever is said here.
function(spillway_add_codelets target)
  cmake_parse_arguments(ARG "" "WORKERS" "SOURCES;HEADERS;FLAGS" ${ARGN})
  set(output ${CMAKE_BINARY_DIR}/lib/${target}.gp)
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARG_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  if(ARG_WORKERS)
    list(APPEND ARG_FLAGS -DIPUMODEL_NUM_WORKERS=${ARG_WORKERS})
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib
    COMMAND popc_bin ${ARG_FLAGS} -I ${CMAKE_CURRENT_SOURCE_DIR} -o ${output} ${ARG_SOURCES}
    DEPENDS popc_bin ${ARG_SOURCES} ${ARG_HEADERS}
    COMMENT "popc ${target}.gp" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${output})
  set_target_properties(${target} PROPERTIES GP_FILE ${output})
endfunction()
