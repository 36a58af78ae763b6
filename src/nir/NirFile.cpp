#include "nir/NirFile.hpp"

#include "data/FileBytes.hpp"
#include "data/FileTrial.hpp"
#include "data/Hdf5File.hpp"

#include <cstdint>

namespace spillway::nir {
namespace {

constexpr const char* kVersion = "1.0"; // of the layout
constexpr int kMostNested = 8;          // graphs within graphs

void writeGraph(Hdf5Writer& file, const std::string& prefix, const Graph& graph);

void writeNode(Hdf5Writer& file, const std::string& prefix, const Node& node) {
  if (node.graph) {
    writeGraph(file, prefix, *node.graph);
    return;
  }
  file.writeText(prefix + "type", node.type);
  for (const auto& [name, array] : node.numbers) {
    if (name == "shape") {
      const std::vector<std::int64_t> shape(array.values.begin(), array.values.end());
      file.write<std::int64_t>(prefix + name, array.shape, shape);
    } else {
      const std::vector<float> values(array.values.begin(), array.values.end());
      file.write<float>(prefix + name, array.shape, values);
    }
  }
  for (const auto& [name, text] : node.metadata) {
    file.writeText(prefix + "metadata/" + name, text);
  }
}

void writeGraph(Hdf5Writer& file, const std::string& prefix, const Graph& graph) {
  file.writeText(prefix + "type", "NIRGraph");
  std::vector<std::string> ends;
  for (const auto& [from, to] : graph.edges) {
    ends.insert(ends.end(), {from, to});
  }
  file.writeTexts(prefix + "edges", {graph.edges.size(), 2}, ends);
  for (const auto& [name, node] : graph.nodes) {
    writeNode(file, prefix + "nodes/" + name + "/", node);
  }
  for (const auto& [name, text] : graph.metadata) {
    file.writeText(prefix + "metadata/" + name, text);
  }
  for (const auto& [name, number] : graph.metadataNumbers) {
    file.write(prefix + "metadata/" + name, number);
  }
}

class GraphReader {
public:
  explicit GraphReader(const std::filesystem::path& path) : file_(path) {}

  Graph root() const {
    const std::string type = file_.has("node/type") ? text("node/type") : "";
    if (type != "NIRGraph") {
      throw FileError(file_.path(), "node/type",
                      type.empty() ? "is missing: this is not a NIR file"
                                   : "is " + type + "; it must be NIRGraph");
    }
    return graph("node/", 0);
  }

private:
  Graph graph(const std::string& prefix, int depth) const {
    if (depth > kMostNested) {
      throw FileError(file_.path(), prefix,
                      "graphs are nested more than " + std::to_string(kMostNested) + " deep");
    }
    Graph graph;
    for (const std::string& name : file_.members(prefix + "nodes")) {
      graph.nodes[name] = node(prefix + "nodes/" + name + "/", depth);
    }
    const std::vector<std::string> ends = file_.readTexts(prefix + "edges");
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
      for (const std::string& end : {ends[i], ends[i + 1]}) {
        if (!graph.nodes.contains(end)) {
          throw FileError(file_.path(), prefix + "edges",
                          "names the node " + end + ", which does not exist");
        }
      }
      graph.edges.emplace_back(ends[i], ends[i + 1]);
    }
    for (const std::string& name : metadataNames(prefix)) {
      const std::string path = prefix + "metadata/" + name;
      if (file_.isText(path)) {
        graph.metadata[name] = text(path);
      } else if (file_.isNumeric(path) && file_.shape(path).empty()) {
        graph.metadataNumbers[name] = file_.read<double>(path).values.at(0);
      }
    }
    return graph;
  }

  Node node(const std::string& prefix, int depth) const {
    Node node;
    node.type = text(prefix + "type");
    if (node.type == "NIRGraph") {
      node.graph = std::make_shared<Graph>(graph(prefix, depth + 1));
      return node;
    }
    for (const std::string& name : file_.members(prefix)) {
      if (file_.isNumeric(prefix + name)) {
        const Hdf5Array<double> array = file_.read<double>(prefix + name);
        node.numbers[name] = {array.shape, array.values};
      }
    }
    for (const std::string& name : metadataNames(prefix)) {
      if (file_.isText(prefix + "metadata/" + name)) {
        node.metadata[name] = text(prefix + "metadata/" + name);
      }
    }
    return node;
  }

  std::vector<std::string> metadataNames(const std::string& prefix) const {
    return file_.isGroup(prefix + "metadata") ? file_.members(prefix + "metadata")
                                              : std::vector<std::string>{};
  }

  std::string text(const std::string& name) const {
    const std::vector<std::string> texts = file_.readTexts(name);
    if (texts.size() != 1) {
      throw FileError(file_.path(), name, "must be one text");
    }
    return texts.front();
  }

  Hdf5Reader file_;
};

} // namespace

std::vector<char> toFile(const Graph& graph) {
  Hdf5Writer file;
  file.writeText("version", kVersion);
  writeGraph(file, "node/", graph);
  return file.image();
}

Graph readFile(const std::filesystem::path& path) {
  if (!survivesInAChild(path, [&] { GraphReader(path).root(); })) {
    throw FileError(path, "NIR", "is damaged: the HDF5 library fails on it");
  }
  return GraphReader(path).root();
}

} // namespace spillway::nir
