# spillway_add_codelets(TARGET SOURCES a.cpp b.cpp ... [HEADERS x.hpp ...] [FLAGS -O3 ...])
# Compiles vertex sources with popc, the provider's own, into ${CMAKE_BINARY_DIR}/lib/TARGET.gp.
function(spillway_add_codelets target)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;FLAGS" ${ARGN})
  set(output ${CMAKE_BINARY_DIR}/lib/${target}.gp)
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM ARG_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib
    COMMAND popc_bin ${ARG_FLAGS} -I ${CMAKE_CURRENT_SOURCE_DIR} -o ${output} ${ARG_SOURCES}
    DEPENDS popc_bin ${ARG_SOURCES} ${ARG_HEADERS}
    COMMENT "popc ${target}.gp" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${output})
  set_target_properties(${target} PROPERTIES GP_FILE ${output})
endfunction()
