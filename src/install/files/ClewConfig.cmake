# CMake package of Clew: find_package(Clew), then
#
#   clew_add_test(NAME SOURCES a.c b.c [ENTRY f] [PROPERTY overflow,bounds] [EXPECT SAFE|UNSAFE|UNKNOWN]
#                 [TARGET t] [TIME_LIMIT 60s] [OPTIONS --config value …] [FLAGS -DX …])
#     adds a test for ctest, which passes if the verdict is the expected one (default: SAFE). With TARGET, the include
#     folders and definitions of that target hold for the sources.
#
#   clew_verify(TARGET t [ENTRY f g] [ERROR])
#     verifies functions of a target while clang 19 compiles it; violations are warnings, or errors.
#
# Clew_EXECUTABLE, Clew_INCLUDE_DIR and Clew_PLUGIN are paths; the target Clew::clew has the include folder.

get_filename_component(Clew_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Clew_INCLUDE_DIR "${Clew_PREFIX}/include")
set(Clew_PLUGIN "${Clew_PREFIX}/lib/libclew.so")
find_program(Clew_EXECUTABLE clew HINTS "${Clew_PREFIX}/bin" NO_DEFAULT_PATH)
find_program(Clew_EXECUTABLE clew)

if(NOT Clew_EXECUTABLE)
  set(Clew_FOUND FALSE)
  set(Clew_NOT_FOUND_MESSAGE "the command clew is not found")
  return()
endif()

if(NOT TARGET Clew::clew)
  add_library(Clew::clew INTERFACE IMPORTED)
  set_target_properties(Clew::clew PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Clew_INCLUDE_DIR}")
endif()

function(clew_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ENTRY;PROPERTY;EXPECT;TARGET;TIME_LIMIT" "SOURCES;OPTIONS;FLAGS")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clew_add_test(${name}): SOURCES are missing, or unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(codes SAFE 0 UNSAFE 10 UNKNOWN 20)
  if(NOT arg_EXPECT)
    set(arg_EXPECT SAFE)
  endif()
  list(FIND codes "${arg_EXPECT}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "clew_add_test(${name}): EXPECT is SAFE, UNSAFE or UNKNOWN, not ${arg_EXPECT}")
  endif()
  math(EXPR position "${position} + 1")
  list(GET codes ${position} code)

  set(command "${Clew_EXECUTABLE}" check)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND command "${source}")
  endforeach()
  if(arg_ENTRY)
    list(APPEND command --entry "${arg_ENTRY}")
  endif()
  if(arg_PROPERTY)
    list(APPEND command --property "${arg_PROPERTY}")
  endif()
  if(arg_TIME_LIMIT)
    list(APPEND command --time-limit "${arg_TIME_LIMIT}")
  endif()
  list(APPEND command ${arg_OPTIONS} -- ${arg_FLAGS})
  if(arg_TARGET)
    # Quoted where they are used, since these are lists only when the test is generated.
    set(folders "$<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>")
    set(folders "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>")
    set(definitions "$<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>")
    set(definitions "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  endif()
  # The script compares exit codes: WILL_FAIL would accept every failure.
  add_test(NAME "${name}"
           COMMAND "${CMAKE_COMMAND}" "-Dexpected=${code}" -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ClewRun.cmake" --
                   ${command} "${folders}" "${definitions}"
           COMMAND_EXPAND_LISTS)
  set_tests_properties("${name}" PROPERTIES LABELS clew)
endfunction()

function(clew_verify)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ERROR" "TARGET" "ENTRY")
  if(NOT TARGET "${arg_TARGET}" OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clew_verify: TARGET is missing, or unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  # Loaded twice: -fplugin has clang know the options of the plugin, -fpass-plugin runs it.
  set(flags "-fplugin=${Clew_PLUGIN}" "-fpass-plugin=${Clew_PLUGIN}")
  foreach(entry IN LISTS arg_ENTRY)
    list(APPEND flags "SHELL:-mllvm -clew-entry=${entry}")
  endforeach()
  if(arg_ERROR)
    list(APPEND flags "SHELL:-mllvm -clew-error")
  endif()
  target_compile_options("${arg_TARGET}" PRIVATE -gline-tables-only ${flags})
  target_include_directories("${arg_TARGET}" PRIVATE "${Clew_INCLUDE_DIR}")
endfunction()
