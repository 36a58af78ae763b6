#include "graph/DebugStreamer.hpp"

#include <poplar/DebugContext.hpp>

#include <nlohmann/json.hpp>

#include <atomic>

namespace poplar {
namespace {

std::string joined(const std::string& parent, const std::string& name) {
  if (parent.empty() || name.empty())
    return parent + name;
  return parent + "/" + name;
}

DebugId nextDebugId() {
  static std::atomic<DebugId> last{0};
  return ++last;
}

} // namespace

struct DebugInfo::Record {
  DebugId id = nextDebugId();
  DebugId parentId = 0;
  std::string path;
  std::string layer;
  SourceLocation location;
  std::vector<std::pair<std::string, ProfileValue>> values;
};

DebugInfo::DebugInfo(const DebugContext& debugContext, std::string layer) : record_(new Record) {
  record_->parentId = debugContext.getParentId();
  record_->path = debugContext.getPathName();
  record_->layer = std::move(layer);
  record_->location = debugContext.getLocation();
}

DebugInfo::~DebugInfo() {
  auto& streamer = ipumodel::DebugStreamer::instance();
  if (!streamer.isOpen())
    return;
  nlohmann::json json = {{"id", record_->id},
                         {"parentId", record_->parentId},
                         {"name", record_->path},
                         {"layer", record_->layer},
                         {"file", record_->location.getFileName()},
                         {"line", record_->location.getLineNumber()}};
  for (const auto& [name, value] : record_->values) {
    std::ostringstream text;
    serializeToJSON(text, value);
    json[name] = nlohmann::json::parse(text.str());
  }
  streamer.add(json);
}

DebugId DebugInfo::getId() const {
  return record_->id;
}
std::string DebugInfo::getPathName() const {
  return record_->path;
}

bool DebugInfo::setValue(std::string name, ProfileValue value) {
  if (!ipumodel::DebugStreamer::instance().isOpen())
    return false;
  record_->values.emplace_back(std::move(name), std::move(value));
  return true;
}

void DebugInfo::initializeStreamer(const std::string& fileName,
                                   const DebugSerializationFormat& format) {
  ipumodel::DebugStreamer::instance().open(fileName, format);
}
void DebugInfo::closeStreamer() {
  ipumodel::DebugStreamer::instance().close();
}

DebugNameAndId::DebugNameAndId(std::string name, DebugId debugId, std::string parentPath)
    : name_(std::move(name)), id_(debugId), parentPath_(std::move(parentPath)) {}
DebugNameAndId::DebugNameAndId(const char* name) : name_(name) {}
DebugNameAndId::DebugNameAndId(DebugId debugId) : id_(debugId) {}
DebugNameAndId::DebugNameAndId(const DebugInfo& debugInfo, std::string name)
    : name_(std::move(name)), id_(debugInfo.getId()), parentPath_(debugInfo.getPathName()) {}
DebugNameAndId::DebugNameAndId(const DebugNameAndId& parent, StringRef name)
    : name_(name), id_(parent.id_), parentPath_(parent.getPathName()) {}

std::string DebugNameAndId::getPathName() const {
  return joined(parentPath_, name_);
}

DebugContext::DebugContext(SourceLocation loc) : location_(loc) {}
DebugContext::DebugContext(const char* name, SourceLocation loc) : path_(name), location_(loc) {}
DebugContext::DebugContext(StringRef name, SourceLocation loc) : path_(name), location_(loc) {}
DebugContext::DebugContext(std::string name, SourceLocation loc)
    : path_(std::move(name)), location_(loc) {}
DebugContext::DebugContext(const DebugInfo& debugInfo, std::string name, SourceLocation loc)
    : path_(joined(debugInfo.getPathName(), name)), parentId_(debugInfo.getId()), location_(loc) {}
DebugContext::DebugContext(const DebugNameAndId& dnai, std::string name, SourceLocation loc)
    : path_(joined(dnai.getPathName(), name)), parentId_(dnai.getId()), location_(loc) {}
DebugContext::DebugContext(DebugNameAndId&& dnai, std::string name, SourceLocation loc)
    : path_(joined(dnai.getPathName(), name)), parentId_(dnai.getId()), location_(loc) {}
DebugContext::DebugContext(const DebugContext& parent, std::string name, SourceLocation loc)
    : path_(joined(parent.path_, name)), parentId_(parent.parentId_), location_(loc) {}

} // namespace poplar
