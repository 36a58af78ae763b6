# spillway_embed(TARGET symbol FILE): compiles FILE into TARGET as `std::string_view symbol()` of
# namespace spillway::asset; an empty FILE makes an empty view.
# Run with -P and -DINPUT -DOUTPUT -DSYMBOL it writes that source.
if(CMAKE_SCRIPT_MODE_FILE)
  set(bytes "")
  if(INPUT)
    file(READ ${INPUT} hex HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  endif()
  file(WRITE ${OUTPUT} "#include <string_view>

namespace spillway::asset {

std::string_view ${SYMBOL}() {
  static constexpr char kBytes[] = {${bytes}'\\0'};
  return {kBytes, sizeof(kBytes) - 1};
}

} // namespace spillway::asset
")
  return()
endif()

set(SPILLWAY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(spillway_embed target symbol file)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  add_custom_command(OUTPUT ${output}
                     COMMAND ${CMAKE_COMMAND} -DINPUT=${file} -DOUTPUT=${output} -DSYMBOL=${symbol}
                             -P ${SPILLWAY_EMBED_SCRIPT}
                     DEPENDS ${file} ${SPILLWAY_EMBED_SCRIPT} VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
