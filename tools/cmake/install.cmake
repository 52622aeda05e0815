# What is installed: libraries, headers, programs, policies, scenarios, man pages, documents, and the files by which
# CMake and pkg-config find them.
include(CMakePackageConfigHelpers)

set(og_libraries ordergate)
if(TARGET ordergate-send)
    list(APPEND og_libraries ordergate-send)
    set_target_properties(ordergate-send PROPERTIES EXPORT_NAME send)
endif()

# og_run_path(target paths...): sets the run path by which the target finds our libraries, relative to itself; the build
# and the installation use the same one.  CMake pads a run path that it will rewrite on installing with ':', which is an
# empty path, and the loader takes that for the current folder.  So nothing is rewritten (tests/house/binaries.py checks
# the result).
function(og_run_path target)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "${ARGN}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()

foreach(library ${og_libraries})
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${OG_GENERATED}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
if(TARGET ordergate-send)
    og_run_path(ordergate-send "$ORIGIN")
endif()
install(TARGETS ${og_libraries} EXPORT ordergateTargets)
install(DIRECTORY include/ordergate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${OG_GENERATED}/ordergate/export.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ordergate)
install(DIRECTORY policies/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ordergate/policies)
install(DIRECTORY include/ordergate/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/ordergate)
# The first line of a policy names its schema for editors: in the tree the schemas are among the headers, installed they
# are beside the policies.
install(CODE "file(GLOB_RECURSE policies
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/ordergate/policies/*.yaml\")
foreach(policy IN LISTS policies)
    file(READ \"\${policy}\" text)
    string(REPLACE \"schema=../include/ordergate/\" \"schema=../\" text \"\${text}\")
    string(REPLACE \"schema=../../include/ordergate/\" \"schema=../../\" text \"\${text}\")
    file(WRITE \"\${policy}\" \"\${text}\")
endforeach()")
install(DIRECTORY tools/monitoring DESTINATION ${CMAKE_INSTALL_DATADIR}/ordergate)
install(DIRECTORY tools/scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ordergate/scenarios)

# In the build, a link makes the relative path from tools/ to the libraries the same as the installed one from bin/.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(seen_from_tools ${CMAKE_BINARY_DIR}/tools/${up})
cmake_path(NORMAL_PATH seen_from_tools)
if(seen_from_tools MATCHES "^${CMAKE_BINARY_DIR}/." AND NOT EXISTS ${seen_from_tools})
    cmake_path(GET seen_from_tools PARENT_PATH beside)
    file(MAKE_DIRECTORY ${beside})
    file(CREATE_LINK ${CMAKE_BINARY_DIR} ${seen_from_tools} SYMBOLIC)
elseif(NOT EXISTS ${seen_from_tools}/libordergate.so AND NOT seen_from_tools MATCHES "^${CMAKE_BINARY_DIR}/.")
    message(STATUS "programs are run in the build with LD_LIBRARY_PATH=${CMAKE_BINARY_DIR}: the library folder is absolute")
endif()

foreach(program ordergate ordergate-send ordergate-paper ordergate-ledger ordergate-broker ordergate-watch ordergate-halt
        ordergate-resume ordergate-waive ordergate-status ordergate-report ordergate-guard ordergate-flatten ordergate-lsp
        ordergate-console)
    foreach(target ${program} ${program}-program)
        if(TARGET ${target})
            get_target_property(type ${target} TYPE)
            if(type STREQUAL EXECUTABLE)
                og_run_path(${target} "$ORIGIN/${up}")
                install(TARGETS ${target})
            endif()
        endif()
    endforeach()
    if(EXISTS ${PROJECT_SOURCE_DIR}/tools/${program}.1)
        install(FILES tools/${program}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
endforeach()

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/*.[57])
foreach(page ${pages})
    string(REGEX MATCH ".$" section ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
install(FILES tools/ordergate-test.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1) # test is a command of ordergate, not a program

install(FILES tools/completions/ordergate.bash RENAME ordergate
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# Headers cite docs/contract.md: it gets the same path below the folder of documents as in the tree.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES rules/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/rules)

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ordergate)
install(EXPORT ordergateTargets NAMESPACE ordergate:: DESTINATION ${cmake_dir})
configure_package_config_file(tools/cmake/ordergateConfig.cmake.in ${OG_GENERATED}/ordergateConfig.cmake
    INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${OG_GENERATED}/ordergateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${OG_GENERATED}/ordergateConfig.cmake ${OG_GENERATED}/ordergateConfigVersion.cmake DESTINATION ${cmake_dir})

# The .pc file is relocatable: it gives the prefix relative to its own folder.
file(RELATIVE_PATH OG_PC_UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(OG_PC_NAME ordergate)
set(OG_PC_DESCRIPTION "Decides brokerage orders offline")
set(OG_PC_REQUIRES "")
set(OG_PC_LIBS "-lordergate")
configure_file(tools/cmake/ordergate.pc.in ${OG_GENERATED}/ordergate.pc @ONLY)
install(FILES ${OG_GENERATED}/ordergate.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(TARGET ordergate-send)
    set(OG_PC_NAME ordergate-send)
    set(OG_PC_DESCRIPTION "Sends and tracks what ordergate accepted, never twice")
    set(OG_PC_REQUIRES "ordergate = ${PROJECT_VERSION}")
    set(OG_PC_LIBS "-lordergate-send")
    configure_file(tools/cmake/ordergate.pc.in ${OG_GENERATED}/ordergate-send.pc @ONLY)
    install(FILES ${OG_GENERATED}/ordergate-send.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
