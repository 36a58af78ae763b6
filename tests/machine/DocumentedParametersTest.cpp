// docs/machine.md repeats the table of parameters; it must not say anything else.
#include "machine/MachineParameters.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ipumodel {
namespace {

// The cells of the rows of the page's tables, by the first word of a row.
std::map<std::string, std::vector<std::string>> tableRows() {
  std::ifstream page(MACHINE_PAGE);
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| "))
      continue;
    std::vector<std::string> cells;
    std::istringstream text(line.substr(2));
    for (std::string cell; std::getline(text, cell, '|');)
      cells.push_back(cell.starts_with(" ") ? cell.substr(1) : cell);
    rows[cells[0].substr(0, cells[0].find(' '))] = cells;
  }
  return rows;
}

TEST(MachinePage, ListsEveryParameterAsItIs) {
  const auto rows = tableRows();
  for (std::size_t column = 0; column < 4; ++column) {
    const MachineDescription machine(static_cast<MachineVersion>(column));
    for (const ParameterNote& note : machine.notes()) {
      const auto row = rows.find(note.name);
      ASSERT_NE(row, rows.end()) << note.name;
      ASSERT_GE(row->second.size(), 7u) << note.name;
      EXPECT_DOUBLE_EQ(std::stod(row->second[1 + column]), note.value) << note.name;
      EXPECT_EQ(row->second[5], note.source + " ");
      EXPECT_EQ(row->second[6], std::string(toString(note.confidence)) + " ");
    }
  }
}

} // namespace
} // namespace ipumodel
