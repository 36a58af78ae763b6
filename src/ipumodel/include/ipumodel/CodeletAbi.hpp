// The tables a compiled codelet file carries, as both sides see them: the glue that popc appends to
// the file, and the loader. Plain data; changing it means changing kCodeletAbiVersion.
#ifndef ipumodel_CodeletAbi_hpp
#define ipumodel_CodeletAbi_hpp

#include <cstddef>
#include <cstdint>

namespace ipumodel {
namespace abi {

constexpr std::uint32_t kCodeletAbiVersion = 2;

enum Element : std::uint8_t {
  kFloat,
  kHalf,
  kInt,
  kUnsignedInt,
  kShort,
  kUnsignedShort,
  kChar,
  kSignedChar,
  kUnsignedChar,
  kBool,
  kLongLong,
  kUnsignedLongLong,
  kUnsupported,
  kQuarter
};

// The numbers are those of ipumodel::FieldDirection, FieldRank, PointerLayout and VertexKind.
struct Field {
  const char* name;
  const char* typeName; // of the element, as the compiler spells it, for messages
  std::uint8_t direction;
  std::uint8_t rank;
  std::uint8_t element;
  std::uint8_t outerLayout;
  std::uint8_t innerLayout;
  std::uint8_t interleaved;
  std::uint32_t minAlign; // bytes
  std::uint64_t offset;   // bytes
};

// What keeps a class from being a vertex. The numbers are part of the format.
enum Fault : std::uint8_t {
  kNoFault,
  kWrongArguments, // of compute()
  kWrongResult,
  kVirtualFunctions
};

struct Vertex {
  const char* (*mangledName)();
  const char** name; // canonical; for the loader to set
  std::uint8_t kind;
  Fault fault; // unless it is kNoFault, the vertex cannot run
  std::uint64_t size;
  std::uint64_t align;
  const Field* fields;
  std::uint32_t numFields;
  bool (*run)(void*, std::size_t, std::size_t, unsigned);
  void (*cost)(const void*, std::size_t, std::size_t, std::uint64_t*);
};

// Called when a bounds-checked field is indexed out of range; throws. `field` may be null when the
// index was taken through a copy of a field.
typedef void (*BoundsReport)(const char* vertex, const char* field, std::size_t index,
                             std::size_t size);

// Where and when a run happens, for codelets that ask. Without tiles, vertices believe themselves
// on tile 0 and all draw the same random numbers.
struct RunContext {
  std::uint64_t step;         // counts executions, to vary random numbers
  std::uint64_t firstVertex;  // id of the first vertex of the run
  const std::uint32_t* tiles; // tile of each vertex of the run, or null
};

// One codelet file.
struct Unit {
  std::uint32_t abiVersion;
  std::uint32_t numVertices;
  const Vertex* const* vertices; // null entries are classes that turned out not to be vertices
  const char* enumerators;       // "ns::Color 0 RED 1 GREEN\n..." to name template arguments by
  BoundsReport* boundsReport;    // for the loader to set; null unless compiled with checks
  RunContext* (*context)();      // of the calling thread; null unless a codelet asks for it
};

} // namespace abi
} // namespace ipumodel

#endif
