// A graph: variables on tiles, vertices in compute sets, and what connects them.
#pragma once

#include <poplar/ArrayRef.hpp>
#include <poplar/CodeletFileType.hpp>
#include <poplar/DataStream.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Device.hpp>
#include <poplar/FunctionBufferMappingType.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/Interval.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/PerfEstimateFunc.hpp>
#include <poplar/RemoteBuffer.hpp>
#include <poplar/ReplicatedStreamMode.hpp>
#include <poplar/SerializationFormat.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/TensorRearranger.hpp>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <poplar/VariableMappingMethod.hpp>
#include <poplar/replication_factor.hpp>

namespace ipumodel {
struct GraphData;
struct VirtualTiles;
} // namespace ipumodel

namespace poplar {

namespace program {
class Program;
}

StringRef versionString();
StringRef packageHash();

// Move-only; virtual graphs share what their parent holds.
class Graph {
public:
  // Entry i holds the ranges of the flattened tensor that are on tile i.
  typedef std::vector<std::vector<Interval>> TileToTensorMapping;

  Graph();
  Graph(const Target& target, replication_factor r = replication_factor(1));
  Graph(const Device& device, replication_factor r = replication_factor(1));
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  // Of one replica; in a virtual graph, of its tiles.
  const Target& getTarget() const;
  unsigned getReplicationFactor() const;

  // Codelets
  // ----------------------------------------------------------------------------------------

  // Loads compiled codelets, or compiles and loads source. Paths are relative to the working
  // directory.
  bool addCodelets(StringRef src, CodeletFileType type = CodeletFileType::Auto,
                   StringRef compileFlags = "", StringRef targetName = "");
  bool addCodelets(ArrayRef<std::string> files, StringRef compileFlags = "",
                   StringRef targetName = "");
  bool addCodelets(std::stringstream& stream, StringRef compileFlags = "",
                   CodeletFileType type = CodeletFileType::CppSource, StringRef targetName = "");
  bool hasCodelet(StringRef codeletName) const;
  void registerPerfEstimator(StringRef vertexTypeName, PerfEstimateFunc f);

  // Compute sets and vertices
  // -----------------------------------------------------------------------

  // What a field is given when its vertex is added: a tensor, tensors, or an initial value.
  class ConnectionDesc {
  public:
    ConnectionDesc(StringRef field, Tensor t) : field_(field) { tensors_.push_back(std::move(t)); }
    ConnectionDesc(StringRef field, ArrayRef<Tensor> tensors)
        : field_(field), tensors_(tensors.begin(), tensors.end()), isArray_(true) {}
    ConnectionDesc(StringRef field, std::size_t index, Tensor t)
        : field_(field), isIndexed_(true), index_(index) {
      tensors_.push_back(std::move(t));
    }
    template <typename T, typename = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
    ConnectionDesc(StringRef field, T value)
        : field_(field), traits_(TypeTraits::make<T>()), numValues_(1), isValue_(true) {
      store(&value, sizeof(T));
    }
    template <typename T, typename = typename std::enable_if<TypeTraits::isSimpleType<T>()>::type>
    ConnectionDesc(StringRef field, ArrayRef<T> values)
        : field_(field),
          traits_(TypeTraits::make<T>()),
          numValues_(values.size()),
          isValue_(true),
          isArray_(true) {
      store(values.data(), sizeof(T) * values.size());
    }

  private:
    friend class Graph;
    void store(const void* p, std::size_t bytes) {
      bytes_.assign(static_cast<const char*>(p), static_cast<const char*>(p) + bytes);
    }

    std::string field_;
    std::vector<Tensor> tensors_;
    std::vector<char> bytes_;
    TypeTraits traits_ = TypeTraits();
    std::size_t numValues_ = 0;
    bool isValue_ = false;
    bool isArray_ = false;
    bool isIndexed_ = false;
    std::size_t index_ = 0;
  };

  ComputeSet addComputeSet(const DebugContext& debugContext = {});
  VertexRef addVertex(ComputeSet cs, StringRef vertexType);
  VertexRef addVertex(ComputeSet cs, StringRef vertexType, ArrayRef<ConnectionDesc> connections);
  unsigned getNumVertices() const;

  void connect(FieldRef field, const Tensor& tensor);
  void connect(FieldRef field, ArrayRef<Tensor> tensors);
  // Connects an input to a constant, or sets the value of a field that is not an edge.
  template <typename T>
  void connect(FieldRef field, T value,
               typename std::enable_if<TypeTraits::isSimpleType<T>()>::type* = nullptr) {
    connectValue(field, &value, TypeTraits::make<T>());
  }

  void setFieldSize(FieldRef field, std::size_t size);
  std::size_t getFieldSize(FieldRef field) const;
  // The largest size of that dimension of a field that the vertex can address; the largest value of
  // a field that is an integer.
  std::size_t getMaxFieldDim(StringRef vertexName, StringRef fieldName, unsigned dimIndex) const;
  double getMaxVertexFieldValue(StringRef vertexName, StringRef fieldName) const;
  template <typename T = double>
  T getMaxVertexFieldValueAs(StringRef vertexName, StringRef fieldName) const {
    return static_cast<T>(getMaxVertexFieldValue(vertexName, fieldName));
  }

  void setPerfEstimate(const VertexRef& v, std::uint64_t cycles, std::uint64_t flops = 0);
  void setPerfEstimate(const VertexRef& v, const VertexPerfEstimate& estimate);
  VertexPerfEstimate getPerfEstimate(const VertexRef& v) const;
  // The name of setPerfEstimate in older programs.
  void setCycleEstimate(const VertexRef& v, std::uint64_t cycles) { setPerfEstimate(v, cycles); }

  // Variables and constants
  // -------------------------------------------------------------------------

  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {});
  Tensor addVariable(const Type& type, ArrayRef<std::size_t> shape,
                     VariableMappingMethod mappingMethod, const DebugContext& debugContext = {});

  // Of type QUARTER with metadata that exists: a tensor or a pointer to one.
  template <typename T, typename = typename std::enable_if<std::is_same<T, Tensor>::value>::type>
  Tensor addVariable(const Type& type, const T& metadata, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {}) {
    const Tensor t = addVariable(type, shape, debugContext);
    shareMetadata(t, metadata);
    return t;
  }
  template <typename T, typename = typename std::enable_if<std::is_same<T, Tensor>::value>::type>
  Tensor addVariable(const Type& type, const T* metadata, ArrayRef<std::size_t> shape,
                     const DebugContext& debugContext = {}) {
    return metadata ? addVariable(type, *metadata, shape, debugContext)
                    : addVariable(type, shape, debugContext);
  }

  // Values are converted to the device type. One value fills the shape.
  template <typename T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, ArrayRef<T> values,
                     const DebugContext& debugContext = {}) {
    return addConstantFrom(type, shape, values.data(), TypeTraits::make<T>(), values.size(),
                           debugContext);
  }
  // Else {0} would be a null pointer.
  template <typename T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, std::initializer_list<T> values,
                     const DebugContext& debugContext = {}) {
    return addConstant(type, shape, ArrayRef<T>(values), debugContext);
  }
  template <typename T>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const T* values,
                     const DebugContext& debugContext = {}) {
    std::size_t n = 1;
    for (std::size_t extent : shape)
      n *= extent;
    return addConstantFrom(type, shape, values, TypeTraits::make<T>(), n, debugContext);
  }
  template <typename T = void, typename U,
            typename = typename std::enable_if<TypeTraits::isSimpleType<U>()>::type>
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, U value,
                     const DebugContext& debugContext = {}) {
    typedef typename std::conditional<std::is_void<T>::value, U, T>::type Host;
    const Host host = static_cast<Host>(value);
    return addConstant(type, shape, &host, TypeTraits::make<Host>(), true, debugContext);
  }
  Tensor addConstant(const Type& type, ArrayRef<std::size_t> shape, const void* values,
                     const TypeTraits& traits, bool broadcast,
                     const DebugContext& debugContext = {});
  // From the bits of IEEE binary16 numbers.
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, std::uint16_t value,
                         const DebugContext& debugContext = {});
  Tensor addConstantHalf(const Type& type, ArrayRef<std::size_t> shape, const std::uint16_t* values,
                         const DebugContext& debugContext = {});
  // A scalar UNSIGNED_INT that holds the number of the replica.
  Tensor addReplicationIndexConstant(const DebugContext& debugContext = {});

  // A new tensor of the same shape and tile mapping.
  Tensor clone(const Type& type, const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  Tensor clone(const Tensor& t, const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
  template <typename T, typename = typename std::enable_if<std::is_same<T, Tensor>::value>::type>
  Tensor clone(const Type& type, const Tensor& metadata, const T& t,
               const DebugContext& debugContext = {},
               TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES) {
    const Tensor result = clone(type, t, debugContext, method);
    shareMetadata(result, metadata);
    return result;
  }
  // N of them, in a new first dimension.
  Tensor cloneN(const Type& type, const Tensor& t, std::size_t N,
                const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplicationMethod =
                    TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);
  Tensor cloneN(const Tensor& t, std::size_t N, const DebugContext& debugContext = {},
                TensorCloneMethod method = TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                TensorCloneDuplicationMethod duplicationMethod =
                    TensorCloneDuplicationMethod::DUPLICATE_BY_OUTER_DIMENSION);

  // Values that fields and variables have when the engine is loaded.
  template <typename T = void, typename U,
            typename = typename std::enable_if<TypeTraits::isSimpleType<U>()>::type>
  void setInitialValue(FieldRef field, U value) {
    typedef typename std::conditional<std::is_void<T>::value, U, T>::type Host;
    const Host host = static_cast<Host>(value);
    setInitialValueFrom(field, &host, TypeTraits::make<Host>(), 1);
  }
  template <typename T>
  void setInitialValue(FieldRef field, ArrayRef<T> values) {
    setInitialValueFrom(field, values.data(), TypeTraits::make<T>(), values.size());
  }
  template <typename T = void, typename U,
            typename = typename std::enable_if<TypeTraits::isSimpleType<U>()>::type>
  void setInitialValue(const Tensor& t, U value) {
    typedef typename std::conditional<std::is_void<T>::value, U, T>::type Host;
    const Host host = static_cast<Host>(value);
    setInitialValueFrom(t, &host, TypeTraits::make<Host>(), 1, true);
  }
  template <typename T>
  void setInitialValue(const Tensor& t, ArrayRef<T> values) {
    setInitialValueFrom(t, values.data(), TypeTraits::make<T>(), values.size(), false);
  }
  void setInitialValueHalf(FieldRef field, std::uint16_t value);
  void setInitialValueHalf(FieldRef field, ArrayRef<std::uint16_t> values);
  void setInitialValueHalf(const Tensor& t, std::uint16_t value);
  void setInitialValueHalf(const Tensor& t, ArrayRef<std::uint16_t> values);

  // Tiles
  // -------------------------------------------------------------------------------------------

  // Later mappings of the same elements replace earlier ones. Tiles out of range throw
  // invalid_tile_mapping.
  void setTileMapping(VertexRef v, unsigned tileNum);
  void setTileMapping(const Tensor& t, unsigned tileNum);
  void setTileMapping(const Tensor& t, const TileToTensorMapping& mapping);
  // Throws invalid_tile_mapping for unmapped elements if requireComplete, and for elements on tiles
  // outside a virtual graph unless allowExternal.
  TileToTensorMapping getTileMapping(const Tensor& t, bool requireComplete = true,
                                     bool allowExternal = false) const;
  TileToTensorMapping getTileMapping(const Tensor& t, bool* isComplete,
                                     bool allowExternal = false) const;
  // Of whole variables.
  TileToTensorMapping getVariableTileMapping(const Tensor& t) const;

  // A graph over some of the tiles, which it numbers from 0: the first tilesPerIPU of each IPU;
  // tiles [lowerTile, upperTile); a list.
  Graph createVirtualGraph(unsigned tilesPerIPU);
  Graph createVirtualGraph(unsigned lowerTile, unsigned upperTile);
  Graph createVirtualGraph(const std::vector<unsigned>& perIpuTiles);
  Graph getTopLevelGraph();
  // How older programs replicated parts of a graph. Here a graph is replicated as a whole, so a
  // factor above 1 is for a graph that is empty yet; otherwise graph_replication_error is thrown.
  Graph createReplicatedGraph(unsigned replicationFactor);
  // t with a first dimension for the replicas that such a graph made of it: 1.
  Tensor getNonReplicatedTensor(const Tensor& t) const;
  unsigned convertVirtualTileToPhysicalTile(unsigned virtualTile) const;
  // ~0u if the tile is not part of this graph.
  unsigned convertPhysicalTileToVirtualTile(unsigned physicalTile) const;
  unsigned convertPhysicalTileToVirtualTile(unsigned ipu, unsigned physicalTile) const;
  unsigned convertTileToTopLevelGraphTile(unsigned tile) const;
  unsigned convertTopLevelGraphTileToTile(unsigned tile) const;

  // Memory order
  // ------------------------------------------------------------------------------------

  Tensor getVariable(VariableRef v) const;
  bool isConstant(VariableRef v) const;
  // Ranges in memory order; aliases: for each, the begin of the first range of the same elements.
  std::vector<std::vector<Interval>>
  getSortedContiguousRegions(const Tensor& t, ArrayRef<Interval> regions,
                             bool removeAliasedIntervals = false,
                             std::vector<std::size_t>* aliases = nullptr) const;
  // Flattens t in memory order and all of ts in the same way. If requireSimplestOrder is false,
  // only when that has fewer contiguous regions.
  void reorderToSimplify(Tensor* t, ArrayRef<Tensor*> ts, bool requireSimplestOrder = true) const;
  TensorRearranger getSimplifyingRearranger(const Tensor& t) const;
  // t before it was broadcast, with 1 for the broadcast dimensions; t itself if it was not.
  Tensor findUnbroadcastTensor(const Tensor& t) const;

  // Host
  // --------------------------------------------------------------------------------------------

  void createHostWrite(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);
  void createHostRead(StringRef handle, const Tensor& t, bool rearrangeOnHost = false);
  DataStream
  addHostToDeviceFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                      ReplicatedStreamMode replicatedMode = ReplicatedStreamMode::REPLICATE,
                      const OptionFlags& options = {});
  DataStream addDeviceToHostFIFO(StringRef handle, const Type& elementType, std::size_t numElements,
                                 const OptionFlags& options = {});
  RemoteBuffer addRemoteBuffer(StringRef handle, const Type& elementType, std::size_t numElements,
                               std::size_t repeats = 1, bool rearrangeOnHost = false,
                               bool optimiseMemory = false);

  struct HostFunctionArgument {
    Type elementType;
    std::size_t numElements;
  };
  HostFunction addHostFunction(StringRef handle, ArrayRef<HostFunctionArgument> inputs,
                               ArrayRef<HostFunctionArgument> outputs);
  Function addFunction(const program::Program& program);
  // Where a function's code would wait outside the tiles. Here code is always on its tiles, so that
  // copying it there does nothing.
  FunctionBuffer addFunctionBuffer(const Function& function, FunctionBufferMappingType mappingType);

  // Pictures in the language of Graphviz.
  void outputVertexGraph(std::ostream& os, ArrayRef<program::Program> programs = {}) const;
  void outputComputeGraph(std::ostream& os, ArrayRef<program::Program> programs = {}) const;

  // Variables, vertices and what connects them, without codelets; the document is our own.
  void serialize(std::ostream& os, SerializationFormat format) const;
  // With the names of programs.
  void serialize(std::ostream& os, ArrayRef<program::Program> programs,
                 SerializationFormat format) const;

  // Tensors without values (but those of constants), with the variables they refer to and the tiles
  // of these. Reading adds new variables like them to this graph; in the binary format only. Throws
  // poplar_error for what cannot be read, and then adds nothing.
  void serializeTensors(std::ostream& os, ArrayRef<Tensor> tensors,
                        SerializationFormat format) const;
  std::vector<Tensor> deserializeTensors(std::istream& is, SerializationFormat format);

  // For the library itself.
  const std::shared_ptr<ipumodel::GraphData>& getImpl() const { return data_; }

private:
  Graph(std::shared_ptr<ipumodel::GraphData> data,
        std::shared_ptr<const ipumodel::VirtualTiles> tiles);
  void shareMetadata(const Tensor& t, const Tensor& metadata);
  Tensor addConstantFrom(const Type& type, ArrayRef<std::size_t> shape, const void* values,
                         const TypeTraits& traits, std::size_t numValues,
                         const DebugContext& debugContext);
  void connectValue(const FieldRef& field, const void* value, const TypeTraits& traits);
  void setInitialValueFrom(const FieldRef& field, const void* values, const TypeTraits& traits,
                           std::size_t numValues);
  void setInitialValueFrom(const Tensor& t, const void* values, const TypeTraits& traits,
                           std::size_t numValues, bool broadcast);

  std::shared_ptr<ipumodel::GraphData> data_;
  std::shared_ptr<const ipumodel::VirtualTiles> tiles_;
};

typedef Graph::HostFunctionArgument HostFunctionArgument;

} // namespace poplar
