# How every target of the project is made: one place for the language level, warnings, sanitizers and layout.
#
#   roar_library(NAME LINKS ...)      a static library of every *.cc in the folder (not below it)
#   roar_program(NAME LINKS ...)      a program of main.cc, into <build>/bin
#   roar_test(NAME LINKS ...)         a GoogleTest program of every *.cc in the folder, registered with ctest
#   roar_bench(NAME LINKS ...)        a Google Benchmark program of bench/NAME.cc
#
# Sources are found by pattern: adding a variant is adding a file.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

find_package(absl REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Boost REQUIRED)
find_package(Threads REQUIRED)

if(ROAR_SANITIZE)
  add_compile_options(-fsanitize=${ROAR_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ROAR_SANITIZE})
endif()

function(roar_target_settings name)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror=return-type -Wno-missing-field-initializers)
endfunction()

# The *.cc of the current folder, less the ones that belong to another target.
function(roar_sources variable)
  file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER found EXCLUDE REGEX "/main\\.cc$")
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

function(roar_library name)
  cmake_parse_arguments(arg "" "" "LINKS;FOLDERS" ${ARGN})
  roar_sources(sources)
  foreach(folder IN LISTS arg_FOLDERS)
    file(GLOB below CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc)
    list(APPEND sources ${below})
  endforeach()
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  roar_target_settings(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINKS})
endfunction()

function(roar_program name)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  add_executable(${name} main.cc)
  roar_target_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINKS})
endfunction()

function(roar_test name)
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "LINKS" ${ARGN})
  roar_sources(sources)
  add_executable(${name} ${sources})
  roar_target_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} GTest::gtest GTest::gmock GTest::gtest_main rapidcheck)
  target_compile_definitions(${name} PRIVATE ROAR_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ROAR_BINARY_DIR="${CMAKE_BINARY_DIR}/bin")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  if(arg_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

function(roar_bench name)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  add_executable(${name} ${name}.cc)
  roar_target_settings(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} benchmark::benchmark)
endfunction()
