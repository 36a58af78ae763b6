// Included by popc after the text of a codelet file: turns vertex classes into the tables of
// CodeletAbi.hpp. Codelets themselves never include it.
#ifndef ipumodel_CodeletGlue_hpp
#define ipumodel_CodeletGlue_hpp

#include <poplar/Vertex.hpp>

#include <ipumodel/CodeletAbi.hpp>
#ifdef IPUMODEL_USES_CONTEXT
#include <ipumodel/CodeletContext.hpp>
#endif
#include <ipumodel/CodeletFieldTraits.hpp>
#include <ipumodel/DoubleToHalf.hpp>

#ifdef IPUMODEL_WORKERS_MEET
#include <pthread.h>
#endif
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace ipumodel {
namespace glue {

#ifdef IPUMODEL_CHECK_BOUNDS
// Shared by the codelet files of one object; hidden from other objects.
inline thread_local const void* runningObject = nullptr;
inline thread_local const abi::Vertex* runningType = nullptr;
inline abi::BoundsReport boundsReport = nullptr;
#endif

namespace {

template <class T>
constexpr bool isMulti = std::is_base_of<poplar::MultiVertex, T>::value;
template <class T>
constexpr bool isSupervisor = std::is_base_of<poplar::SupervisorVertex, T>::value;

template <class T, class = void>
struct HasCompute : std::false_type {};
template <class T>
struct HasCompute<T, std::void_t<decltype(std::declval<T&>().compute())>> : std::true_type {};
template <class T, class = void>
struct HasWorkerCompute : std::false_type {};
template <class T>
struct HasWorkerCompute<T, std::void_t<decltype(std::declval<T&>().compute(0u))>> : std::true_type {
};
template <class T, class = void>
struct HasCost : std::false_type {};
template <class T>
struct HasCost<T, std::void_t<decltype(std::declval<const T&>().estimateCycles())>>
    : std::is_integral<decltype(std::declval<const T&>().estimateCycles())> {};

// Whether anything is named compute, however it is declared: then that name is ambiguous here.
struct OtherCompute {
  int compute;
};
template <class T>
struct WithOtherCompute : T, OtherCompute {};
template <class T, class = void>
struct NamesCompute : std::true_type {};
template <class T>
struct NamesCompute<T, std::void_t<decltype(&WithOtherCompute<T>::compute)>> : std::false_type {};

// As much as can be told of a class that nothing can derive from.
template <class T, class = void>
struct HasOneCompute : std::false_type {};
template <class T>
struct HasOneCompute<T, std::void_t<decltype(&T::compute)>> : std::true_type {};

template <class T>
constexpr bool hasUsableCompute = isMulti<T> ? HasWorkerCompute<T>::value : HasCompute<T>::value;

template <class T>
constexpr bool namesCompute() {
  if constexpr (hasUsableCompute<T>)
    return true;
  else if constexpr (std::is_final<T>::value)
    return HasOneCompute<T>::value;
  else
    return NamesCompute<T>::value;
}

template <class T>
constexpr bool returnsOutcome() {
  if constexpr (!hasUsableCompute<T>) {
    return false;
  } else if constexpr (isMulti<T>) {
    using Result = decltype(std::declval<T&>().compute(0u));
    return std::is_void<Result>::value || std::is_same<std::decay_t<Result>, bool>::value;
  } else {
    using Result = decltype(std::declval<T&>().compute());
    return std::is_void<Result>::value || std::is_same<std::decay_t<Result>, bool>::value;
  }
}

// A class that only serves as a base of vertices has no compute() of its own.
template <class T>
constexpr bool isVertex = std::is_base_of<poplar::VertexBase, T>::value&& namesCompute<T>();

template <class T>
constexpr abi::Fault faultOf = !hasUsableCompute<T>            ? abi::kWrongArguments
                               : !returnsOutcome<T>()          ? abi::kWrongResult
                               : std::is_polymorphic<T>::value ? abi::kVirtualFunctions
                                                               : abi::kNoFault;

// All classes of a file that are, or may be, vertices.
template <class... Listings>
struct Classes {
  // Whether vertices derive from T: then T may have a compute() of its own that they call.
  template <class T>
  static constexpr bool haveBase = ((!std::is_same<T, typename Listings::Type>::value &&
                                     std::is_base_of<T, typename Listings::Type>::value &&
                                     hasUsableCompute<typename Listings::Type>) ||
                                    ...);
};

template <class Compute>
inline bool resultOf(Compute compute) {
  if constexpr (std::is_void<decltype(compute())>::value) {
    compute();
    return true;
  } else {
    return static_cast<bool>(compute());
  }
}

inline void enter(std::size_t index, unsigned worker) {
#ifdef IPUMODEL_USES_CONTEXT
  context::enter(index, worker);
#else
  (void)index, (void)worker;
#endif
}

#ifdef IPUMODEL_WORKERS_MEET
// Static data belongs to a tile, and here tiles share it: one vertex at a time.
pthread_mutex_t oneTile = PTHREAD_MUTEX_INITIALIZER;

template <class IpumodelVertex>
struct WorkerCall {
  IpumodelVertex* vertex;
  std::size_t index;
  unsigned worker;
  bool result;
#ifdef IPUMODEL_USES_CONTEXT
  abi::RunContext given;
#endif

  static void* run(void* call) {
    WorkerCall& self = *static_cast<WorkerCall*>(call);
#ifdef IPUMODEL_USES_CONTEXT
    context::given = self.given;
#endif
    enter(self.index, self.worker);
    self.result = resultOf([&] { return self.vertex->IpumodelVertex::compute(self.worker); });
    return nullptr;
  }
};

// All workers at once, because they may wait for one another (popc/Glue.cpp says which).
template <class IpumodelVertex>
bool runWorkers(IpumodelVertex* vertex, std::size_t index) {
  constexpr unsigned numWorkers = poplar::MultiVertex::numWorkers();
  WorkerCall<IpumodelVertex> calls[numWorkers];
  pthread_t threads[numWorkers];
  unsigned started = 1;
  pthread_mutex_lock(&oneTile);
  for (unsigned worker = 0; worker < numWorkers; ++worker) {
    calls[worker] = {vertex, index, worker, false};
#ifdef IPUMODEL_USES_CONTEXT
    calls[worker].given = context::given;
#endif
  }
  while (started < numWorkers && !pthread_create(&threads[started], nullptr,
                                                 &WorkerCall<IpumodelVertex>::run, &calls[started]))
    ++started;
  WorkerCall<IpumodelVertex>::run(&calls[0]);
  for (unsigned worker = started; worker < numWorkers; ++worker) // no threads left
    WorkerCall<IpumodelVertex>::run(&calls[worker]);
  bool all = calls[0].result;
  for (unsigned worker = 1; worker < numWorkers; ++worker) {
    if (worker < started)
      pthread_join(threads[worker], nullptr);
    all &= calls[worker].result;
  }
  pthread_mutex_unlock(&oneTile);
  return all;
}
#endif

// A MultiVertex divides its work by MultiVertex::numWorkers(), a constant of the compiled code, so
// that many workers run whatever the device has. The parameter's long name keeps clear of names
// that a vertex declares itself: after `->` they would come first.
template <class IpumodelVertex, class Description>
bool run(void* first, std::size_t stride, std::size_t count, unsigned) {
#ifdef IPUMODEL_CHECK_BOUNDS
  runningType = &Description::template vertex<IpumodelVertex>;
#endif
  bool all = true;
  char* at = static_cast<char*>(first);
  for (std::size_t i = 0; i < count; ++i, at += stride) {
    IpumodelVertex* vertex = reinterpret_cast<IpumodelVertex*>(at);
#ifdef IPUMODEL_CHECK_BOUNDS
    runningObject = at;
#endif
    if constexpr (isMulti<IpumodelVertex>) {
#ifdef IPUMODEL_WORKERS_MEET
      all &= runWorkers(vertex, i);
      continue;
#endif
      for (unsigned worker = 0; worker < poplar::MultiVertex::numWorkers(); ++worker) {
        enter(i, worker);
        all &= resultOf([&] { return vertex->IpumodelVertex::compute(worker); });
      }
    } else {
      enter(i, 0);
      all &= resultOf([&] { return vertex->IpumodelVertex::compute(); });
    }
  }
  return all;
}

template <class T>
void cost(const void* first, std::size_t stride, std::size_t count, std::uint64_t* cycles) {
  const char* at = static_cast<const char*>(first);
  for (std::size_t i = 0; i < count; ++i, at += stride)
    cycles[i] = static_cast<std::uint64_t>(reinterpret_cast<const T*>(at)->estimateCycles());
}

// `Listing` is generated: `Type`, `numFields` and the table `fields<Type>`.
template <class Listing>
struct Describe {
  using T = typename Listing::Type;
  static constexpr std::uint8_t kind = isMulti<T> ? 1 : isSupervisor<T> ? 2 : 0;

  inline static const char* name = "";
  static const char* mangledName() { return typeid(T).name(); }

  static constexpr auto costOf() {
    if constexpr (HasCost<T>::value)
      return &cost<T>;
    else
      return nullptr;
  }

  template <class U>
  static constexpr auto runOf() {
    if constexpr (faultOf<U> == abi::kNoFault)
      return &run<U, Describe>;
    else
      return nullptr;
  }

  template <class U>
  static constexpr abi::Vertex vertex = {&mangledName,
                                         &name,
                                         kind,
                                         faultOf<U>,
                                         sizeof(U),
                                         alignof(U),
                                         Listing::template fields<U>,
                                         Listing::numFields,
                                         runOf<U>(),
                                         costOf()};

  template <class All>
  static constexpr const abi::Vertex* get() {
    if constexpr (!isVertex<T>)
      return nullptr;
    else if constexpr (faultOf<T> == abi::kNoFault)
      return &vertex<T>;
    else if constexpr (All::template haveBase<T>)
      return nullptr;
    else
      return &vertex<T>;
  }
};

} // namespace

constexpr abi::BoundsReport* boundsReportOfUnit() {
#ifdef IPUMODEL_CHECK_BOUNDS
  return &boundsReport;
#else
  return nullptr;
#endif
}

#ifdef IPUMODEL_USES_CONTEXT
inline abi::RunContext* contextOfThread() {
  return &context::given;
}
#else
constexpr abi::RunContext* (*contextOfThread)() = nullptr;
#endif

} // namespace glue
} // namespace ipumodel

#ifdef IPUMODEL_CHECK_BOUNDS
// Weak, because several codelet files may be linked into one object.
extern "C" __attribute__((weak)) void ipumodel_bounds_failure(const void* address,
                                                              std::size_t index, std::size_t size) {
  using namespace ipumodel;
  const abi::Vertex* type = glue::runningType;
  const char* field = nullptr;
  const char* object = static_cast<const char*>(glue::runningObject);
  const char* at = static_cast<const char*>(address);
  for (unsigned f = 0; type && f < type->numFields; ++f) {
    const char* place = object + type->fields[f].offset;
    struct Span {
      const char* data;
      std::size_t size;
    };
    const Span* span = reinterpret_cast<const Span*>(place);
    const bool isElement = type->fields[f].rank == glue::kRankVectorList && at >= span->data &&
                           at < span->data + span->size * sizeof(Span);
    if (at == place || isElement)
      field = type->fields[f].name;
  }
  glue::boundsReport(type ? *type->name : "unknown", field, index, size);
}
#endif

#endif
