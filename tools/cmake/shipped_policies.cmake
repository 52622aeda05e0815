# Writes the shipped files as C bytes, so that neither the library nor the paper brokerage needs an installed file:
# policies in generated/policy/shipped_text.inc, scenarios (and the quotes they replay) in
# generated/paper/shipped_text.inc, and the templates of JSON Schemas in generated/schema/shipped_text.inc.

# og_shipped(station files...): makes a table of {name, text, length}; the name of a .yaml or .json file lacks its
# ending.
function(og_shipped station)
    set(text "/* Made by tools/cmake/shipped_policies.cmake. */\n")
    set(table)
    set(count 0)
    foreach(file ${ARGN})
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
        cmake_path(GET file FILENAME name)
        string(REGEX REPLACE "\\.(yaml|json)$" "" name ${name})
        file(READ ${file} bytes HEX)
        string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(APPEND text "static const char text_${count}[] = {\n    ${bytes}0x00\n};\n")
        string(APPEND table "    { \"${name}\", text_${count}, sizeof text_${count} - 1 },\n")
        math(EXPR count "${count} + 1")
    endforeach()
    string(APPEND text "static const struct shipped shipped[] = {\n${table}};\n")
    file(CONFIGURE OUTPUT ${OG_GENERATED}/${station}/shipped_text.inc CONTENT "${text}" @ONLY)
endfunction()

set(policies)
foreach(name default paper live cautious small-account options-income short-seller)
    list(APPEND policies ${CMAKE_CURRENT_SOURCE_DIR}/policies/${name}.yaml)
endforeach()
og_shipped(policy ${policies})
file(GLOB scenarios CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/tools/scenarios/*)
og_shipped(paper ${scenarios})
file(GLOB schemas CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/src/schema/*.json)
og_shipped(schema ${schemas})
