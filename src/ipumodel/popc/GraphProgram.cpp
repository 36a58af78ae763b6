#include "popc/GraphProgram.hpp"

#include "popc/Elf.hpp"

#include <poplar/exceptions.hpp>

#include <zlib.h>

#include <cstdint>
#include <cstring>

namespace ipumodel::popc {
namespace {

void append(std::string& out, std::uint64_t number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append(std::string& out, std::string_view text) {
  append(out, text.size());
  out.append(text);
}

struct Reader {
  std::string_view rest;
  const std::string& path;

  [[noreturn]] void fail() const {
    throw poplar::graph_object_load_error(path, "its list of codelets is cut short");
  }
  std::uint64_t number() {
    std::uint64_t value;
    if (rest.size() < sizeof(value))
      fail();
    std::memcpy(&value, rest.data(), sizeof(value));
    rest.remove_prefix(sizeof(value));
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    if (rest.size() < size)
      fail();
    std::string value(rest.substr(0, size));
    rest.remove_prefix(size);
    return value;
  }
};

Reader openSection(std::string_view graphProgram, const std::string& path) {
  const auto section = elfSection(graphProgram, ".popc.units");
  if (!section || !section->starts_with(kUnitsFormat))
    throw poplar::graph_object_load_error(path, "it is not a graph program of this popc");
  return {section->substr(kUnitsFormat.size()), path};
}

} // namespace

std::string encodeUnits(const std::vector<ProgramUnit>& units, const std::string& processor) {
  std::string plain;
  append(plain, units.size());
  for (const ProgramUnit& unit : units) {
    append(plain, unit.sourceName);
    append(plain, unit.source);
    append(plain, unit.hardwareSource);
    append(plain, unit.flags.size());
    for (const std::string& flag : unit.flags)
      append(plain, flag);
    append(plain, unit.object);
  }
  uLongf size = compressBound(plain.size());
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_BEST_SPEED);
  packed.resize(size);

  std::string result(kUnitsFormat);
  append(result, processor);
  append(result, plain.size());
  return result + packed;
}

std::string processorOf(std::string_view graphProgram, const std::string& path) {
  return openSection(graphProgram, path).text();
}

std::vector<ProgramUnit> decodeUnits(std::string_view graphProgram, const std::string& path) {
  Reader outer = openSection(graphProgram, path);
  outer.text(); // the processor
  uLongf size = outer.number();
  std::string plain(size, '\0');
  if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                 reinterpret_cast<const Bytef*>(outer.rest.data()), outer.rest.size()) != Z_OK)
    outer.fail();

  Reader reader{plain, path};
  std::vector<ProgramUnit> units(reader.number());
  for (ProgramUnit& unit : units) {
    unit.sourceName = reader.text();
    unit.source = reader.text();
    unit.hardwareSource = reader.text();
    unit.flags.resize(reader.number());
    for (std::string& flag : unit.flags)
      flag = reader.text();
    unit.object = reader.text();
  }
  return units;
}

} // namespace ipumodel::popc
