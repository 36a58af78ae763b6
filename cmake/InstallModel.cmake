# Lays the model out as the SDK is: include/, lib/, bin/popc, enable.sh and CMake packages, so that a
# Makefile or CMake project written for the SDK builds against the prefix unchanged.
set(IPUMODEL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake)

set(ipumodel_poplibs poputil popops poplin poprand popnn popsparse popfloat popsys gcl)
set(ipumodel_loaded $<TARGET_FILE_NAME:ipumodel_clang>)
foreach(library poplar ${ipumodel_poplibs} pva pvti)
  if(TARGET ${library})
    install(TARGETS ${library} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    list(APPEND ipumodel_loaded $<TARGET_SONAME_FILE_NAME:${library}>)
    if(library IN_LIST ipumodel_poplibs)
      set_target_properties(${library} PROPERTIES SOVERSION 3)
    endif()
  endif()
endforeach()

# Graphcore's PopLibs, built against the prefix, makes libraries of the same file names, and what
# LD_LIBRARY_PATH leads to goes before the run path of its programs. So programs know our libraries as
# libpopops.so.3, and that path leads to a folder where they have no other name.
install(CODE "
  set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/run\")
  file(MAKE_DIRECTORY \"\${folder}\")
  foreach(library ${ipumodel_loaded})
    file(CREATE_LINK ../\${library} \"\${folder}/\${library}\" SYMBOLIC)
  endforeach()")
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/enable.sh.in enable.sh @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/enable.sh DESTINATION .)

# ipumodel_package(NAME libraries...): find_package(NAME) then gives those of the libraries that exist.
function(ipumodel_package name)
  set(PACKAGE_NAME ${name})
  set(PACKAGE_LIBRARIES)
  foreach(library ${ARGN})
    if(TARGET ${library})
      list(APPEND PACKAGE_LIBRARIES ${library})
    endif()
  endforeach()
  if(NOT PACKAGE_LIBRARIES)
    return()
  endif()
  foreach(file config config-version)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/package/${file}.cmake.in ${name}-${file}.cmake @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}-${file}.cmake
            DESTINATION ${IPUMODEL_PACKAGE_DIR}/${name})
  endforeach()
endfunction()

ipumodel_package(poplar poplar)
ipumodel_package(popc poplar)
ipumodel_package(poplibs poputil popops poplin poprand popnn popsparse popfloat popsys)
ipumodel_package(gcl gcl)
ipumodel_package(pva pva)
ipumodel_package(pvti pvti)
ipumodel_package(libpvti pvti)
