// A small reverse-mode automatic differentiator over scalars: slow, obvious, and unaware of
// networks.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace spillway::reference::test {

class Tape;

struct Scalar {
  Tape* tape = nullptr;
  std::size_t index = 0;
  double value() const;
};

class Tape {
public:
  using Edge = std::pair<std::size_t, double>; // parent, d child / d parent

  Scalar add(double value, std::vector<Edge> edges = {}) {
    nodes_.push_back({value, std::move(edges)});
    return {this, nodes_.size() - 1};
  }

  // A constant of x's value. When values are replayed, the one recorded at the same place before:
  // so a finite difference sees as constant what the derivative treats as constant.
  Scalar detach(double x) {
    if (replaying_) {
      return add(detached_[numDetached_++]);
    }
    detached_.push_back(x);
    return add(x);
  }

  void replay(std::vector<double> detached) {
    detached_ = std::move(detached);
    replaying_ = true;
  }
  const std::vector<double>& detached() const { return detached_; }

  double value(std::size_t index) const { return nodes_[index].value; }

  // d result / d node, for every node.
  std::vector<double> gradients(Scalar result) const {
    std::vector<double> adjoint(nodes_.size());
    adjoint[result.index] = 1.0;
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      for (const Edge& edge : nodes_[i].edges) {
        adjoint[edge.first] += adjoint[i] * edge.second;
      }
    }
    return adjoint;
  }

private:
  struct Node {
    double value;
    std::vector<Edge> edges;
  };
  std::vector<Node> nodes_;
  std::vector<double> detached_;
  std::size_t numDetached_ = 0;
  bool replaying_ = false;
};

inline double Scalar::value() const {
  return tape->value(index);
}

inline Scalar operator+(Scalar a, Scalar b) {
  return a.tape->add(a.value() + b.value(), {{a.index, 1.0}, {b.index, 1.0}});
}
inline Scalar operator-(Scalar a, Scalar b) {
  return a.tape->add(a.value() - b.value(), {{a.index, 1.0}, {b.index, -1.0}});
}
inline Scalar operator*(Scalar a, Scalar b) {
  return a.tape->add(a.value() * b.value(), {{a.index, b.value()}, {b.index, a.value()}});
}
inline Scalar operator*(double c, Scalar a) {
  return a.tape->add(c * a.value(), {{a.index, c}});
}
inline Scalar operator+(double c, Scalar a) {
  return a.tape->add(c + a.value(), {{a.index, 1.0}});
}
inline Scalar exp(Scalar a) {
  const double value = std::exp(a.value());
  return a.tape->add(value, {{a.index, value}});
}
inline Scalar log(Scalar a) {
  return a.tape->add(std::log(a.value()), {{a.index, 1.0 / a.value()}});
}
inline Scalar reciprocal(Scalar a) {
  const double value = 1.0 / a.value();
  return a.tape->add(value, {{a.index, -value * value}});
}
inline Scalar positivePart(Scalar a) {
  const bool positive = a.value() > 0.0;
  return a.tape->add(positive ? a.value() : 0.0, {{a.index, positive ? 1.0 : 0.0}});
}

} // namespace spillway::reference::test
