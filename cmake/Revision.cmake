# Writes OUTPUT, a source that knows the commit it was built from; run at every build, touches the
# file only when the answer changes. -DSOURCE_DIR=... -DOUTPUT=... -DPROVIDER=... -DVERSION=...
find_package(Git QUIET)
set(revision "unknown")
if(GIT_EXECUTABLE)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude *
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(revision "${described}")
  endif()
endif()
set(text "#include \"cli/Revision.hpp\"

namespace spillway {

const char* version() { return \"${VERSION}\"; }
const char* revision() { return \"${revision}\"; }
const char* provider() { return \"${PROVIDER}\"; }

} // namespace spillway
")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
