# What is installed: libraries, headers, programs, policies, scenarios, man pages, documents, and the files by which others
# find them.
include(CMakePackageConfigHelpers)

set(og_libraries ordergate)
if(TARGET ordergate-send)
    list(APPEND og_libraries ordergate-send)
    set_target_properties(ordergate-send PROPERTIES EXPORT_NAME send)
endif()

# og_run_path(target paths...): where it finds our libraries, seen from itself, in the build and installed alike.  CMake
# pads what it means to rewrite on installing with ':', an empty path, which the loader takes for the current folder; so
# nothing is rewritten (tests/house/binaries.py reads what comes out).
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
# Their first lines name the schema beside them, for editors: in the tree it stands among the headers.
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

# In the build the libraries are reached by the way that leads to them when installed: from tools/ as from bin/.
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
        ordergate-resume ordergate-waive ordergate-status ordergate-report ordergate-lsp ordergate-console)
    foreach(target ${program} ${program}-program)
        if(TARGET ${target})
            get_target_property(type ${target} TYPE)
            if(type STREQUAL EXECUTABLE)
                if(NOT target STREQUAL ordergate-paper) # which links neither library
                    og_run_path(${target} "$ORIGIN/${up}")
                endif()
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
install(FILES tools/ordergate-test.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1) # a command of ordergate itself

install(FILES tools/completions/ordergate.bash RENAME ordergate
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# Headers cite docs/contract.md: below the folder of documents it has the same path as in the tree.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES rules/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/rules)

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ordergate)
install(EXPORT ordergateTargets NAMESPACE ordergate:: DESTINATION ${cmake_dir})
configure_package_config_file(tools/cmake/ordergateConfig.cmake.in ${OG_GENERATED}/ordergateConfig.cmake
    INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${OG_GENERATED}/ordergateConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${OG_GENERATED}/ordergateConfig.cmake ${OG_GENERATED}/ordergateConfigVersion.cmake DESTINATION ${cmake_dir})

# pkg-config, relocatable: the prefix is found from where the file lies.
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
