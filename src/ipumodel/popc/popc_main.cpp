// The popc executable: compiles codelet sources and links graph programs.
#include "popc/CommandLine.hpp"

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  try {
    return ipumodel::popc::runCommandLine({argv + 1, argv + argc}, std::cout);
  } catch (const std::exception& error) {
    std::cerr << "popc: " << error.what() << '\n';
    return 1;
  }
}
