// Names and source locations that follow graph elements and programs into reports.
#pragma once

#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

namespace poplar {

class SourceLocation {
public:
  SourceLocation() = default;
  SourceLocation(const char* functionName, const char* fileName, unsigned lineNumber)
      : functionName_(functionName), fileName_(fileName), lineNumber_(lineNumber) {}

  const char* getFunctionName() const { return functionName_; }
  const char* getFileName() const { return fileName_; }
  unsigned getLineNumber() const { return lineNumber_; }
  bool isValid() const { return fileName_[0] != '\0'; }

  // Called as a default argument it gives the place of the outer call.
  static SourceLocation Current(const char* functionName = __builtin_FUNCTION(),
                                const char* fileName = __builtin_FILE(),
                                unsigned lineNumber = __builtin_LINE()) {
    return SourceLocation(functionName, fileName, lineNumber);
  }

private:
  const char* functionName_ = "";
  const char* fileName_ = "";
  unsigned lineNumber_ = 0;
};

typedef unsigned long long DebugId;

class DebugContext;
class DebugNameAndId;

enum class DebugSerializationFormat { JSON, CBOR };

// A record of one operation: its name, its parent's id and whatever was set. A layer above makes
// one and passes it on to name what it adds to the graph.
class DebugInfo {
public:
  DebugInfo(const DebugContext& debugContext, std::string layer);
  DebugInfo(const DebugInfo&) = delete;
  DebugInfo& operator=(const DebugInfo&) = delete;
  virtual ~DebugInfo();

  DebugId getId() const;
  std::string getPathName() const;

  // Returns whether records are being written. With a streamer open, the record is written when the
  // DebugInfo is destroyed.
  bool setValue(std::string name, ProfileValue value);

  static void
  initializeStreamer(const std::string& fileName,
                     const DebugSerializationFormat& format = DebugSerializationFormat::CBOR);
  static void closeStreamer();

private:
  struct Record;
  std::unique_ptr<Record> record_;
};

// A name with the id of the DebugInfo it belongs to. Names are joined with "/".
class DebugNameAndId {
public:
  DebugNameAndId(std::string name = "", DebugId debugId = 0, std::string parentPath = "");
  DebugNameAndId(const char* name);
  DebugNameAndId(DebugId debugId);
  DebugNameAndId(const DebugInfo& debugInfo, std::string name = "");
  DebugNameAndId(const DebugNameAndId& parent, StringRef name);
  DebugNameAndId(const DebugNameAndId&) = default;
  DebugNameAndId(DebugNameAndId&&) = default;
  DebugNameAndId& operator=(const DebugNameAndId&) = default;
  DebugNameAndId& operator=(DebugNameAndId&&) = default;

  std::string getPathName() const;
  DebugId getId() const { return id_; }

  friend std::ostream& operator<<(std::ostream& os, const DebugNameAndId& debugNameAndId) {
    return os << debugNameAndId.getPathName();
  }

private:
  std::string name_;
  DebugId id_ = 0;
  std::string parentPath_;
};

// What a function that adds to a graph takes as its last argument.
class DebugContext {
public:
  DebugContext(SourceLocation loc = SourceLocation::Current());
  DebugContext(const char* name, SourceLocation loc = SourceLocation::Current());
  DebugContext(StringRef name, SourceLocation loc = SourceLocation::Current());
  DebugContext(std::string name, SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugInfo& debugInfo, std::string name = "",
               SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugNameAndId& debugNameAndId, std::string name = "",
               SourceLocation loc = SourceLocation::Current());
  DebugContext(DebugNameAndId&& debugNameAndId, std::string name = "",
               SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugContext& parent, std::string name,
               SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugContext&) = default;
  DebugContext(DebugContext&&) = default;
  DebugContext& operator=(const DebugContext&) = default;
  DebugContext& operator=(DebugContext&&) = default;

  std::string getPathName() const { return path_; }

  friend std::ostream& operator<<(std::ostream& os, const DebugContext& debugContext) {
    return os << debugContext.path_;
  }

  // For the library itself.
  DebugId getParentId() const { return parentId_; }
  const SourceLocation& getLocation() const { return location_; }

private:
  std::string path_;
  DebugId parentId_ = 0;
  SourceLocation location_;
};

} // namespace poplar
