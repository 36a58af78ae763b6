#include "popc/Elf.hpp"

#include <elf.h>

#include <cstring>

namespace ipumodel::popc {
namespace {

template <class T>
std::optional<T> readAt(std::string_view file, std::size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T))
    return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::string_view slice(std::string_view file, std::size_t offset, std::size_t size) {
  if (offset > file.size() || file.size() - offset < size)
    return {};
  return file.substr(offset, size);
}

std::string_view cString(std::string_view table, std::size_t offset) {
  if (offset >= table.size())
    return {};
  return table.substr(offset, table.find('\0', offset) - offset);
}

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  std::string_view bytes;
};

std::vector<Section> sections(std::string_view file) {
  const auto header = readAt<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  std::vector<Section> result;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto section = readAt<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section)
      return {};
    const bool hasBytes = section->sh_type != SHT_NOBITS;
    result.push_back(
        {{},
         *section,
         hasBytes ? slice(file, section->sh_offset, section->sh_size) : std::string_view()});
  }
  if (header->e_shstrndx >= result.size())
    return {};
  const std::string_view names = result[header->e_shstrndx].bytes;
  for (Section& section : result)
    section.name = cString(names, section.header.sh_name);
  return result;
}

} // namespace

std::optional<std::string_view> elfSection(std::string_view file, std::string_view name) {
  for (const Section& section : sections(file))
    if (section.name == name)
      return section.bytes;
  return std::nullopt;
}

std::vector<std::string> undefinedSymbols(std::string_view file) {
  std::vector<std::string> names;
  const std::vector<Section> all = sections(file);
  for (const Section& section : all) {
    if (section.header.sh_type != SHT_DYNSYM || section.header.sh_link >= all.size())
      continue;
    const std::string_view strings = all[section.header.sh_link].bytes;
    for (std::size_t at = 0; at < section.bytes.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = readAt<Elf64_Sym>(section.bytes, at);
      if (symbol && symbol->st_shndx == SHN_UNDEF && symbol->st_name != 0 &&
          ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
        names.emplace_back(cString(strings, symbol->st_name));
    }
  }
  return names;
}

} // namespace ipumodel::popc
