// View operations against lists of elements, over all small shapes and over random chains.
#include "graph/View.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>

using namespace ipumodel;

namespace {

using Element = std::pair<std::uint32_t, std::int64_t>; // variable, offset

// The same operations on an explicit list of elements.
struct Oracle {
  Dims shape;
  std::vector<Element> elements;

  std::size_t size() const { return elements.size(); }

  template <class F>
  Oracle make(const Dims& newShape, F sourceOf) const {
    Oracle out{newShape, {}};
    Dims index(newShape.size(), 0);
    const std::size_t n =
        std::accumulate(newShape.begin(), newShape.end(), std::size_t{1}, std::multiplies<>());
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t rest = i;
      for (std::size_t d = newShape.size(); d-- > 0;) {
        index[d] = rest % newShape[d];
        rest /= newShape[d];
      }
      const Dims source = sourceOf(index);
      std::size_t linear = 0;
      for (std::size_t d = 0; d < shape.size(); ++d)
        linear = linear * shape[d] + source[d];
      out.elements.push_back(elements[linear]);
    }
    return out;
  }
};

Oracle wholeOracle(std::uint32_t var, const Dims& shape) {
  Oracle out{shape, {}};
  const std::size_t n =
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  for (std::size_t i = 0; i < n; ++i)
    out.elements.emplace_back(var, static_cast<std::int64_t>(i));
  return out;
}

std::vector<Element> elementsOf(const View& view) {
  std::vector<Element> out;
  for (const Run& run : view.runs())
    for (std::size_t i = 0; i < run.count; ++i)
      out.emplace_back(run.var.value, run.offset + static_cast<std::int64_t>(i) * run.stride);
  return out;
}

// Every index of the shape is in exactly one box, and that box holds the oracle's element.
void expectSame(const View& view, const Oracle& oracle, const std::string& what) {
  ASSERT_EQ(view.shape, oracle.shape) << what;
  ASSERT_EQ(elementsOf(view), oracle.elements) << what;
  std::vector<int> covered(oracle.size(), 0);
  for (const Box& box : view.boxes) {
    Dims index(box.extent.size(), 0);
    bool more = true;
    while (more) {
      std::size_t linear = 0;
      std::int64_t offset = box.offset;
      for (std::size_t d = 0; d < index.size(); ++d) {
        linear = linear * view.shape[d] + box.origin[d] + index[d];
        offset += static_cast<std::int64_t>(index[d]) * box.stride[d];
      }
      ASSERT_LT(linear, covered.size()) << what;
      ++covered[linear];
      ASSERT_EQ(Element(box.var.value, offset), oracle.elements[linear]) << what;
      more = false;
      for (std::size_t d = index.size(); d-- > 0 && !more;) {
        if (++index[d] < box.extent[d])
          more = true;
        else
          index[d] = 0;
      }
    }
  }
  for (int c : covered)
    ASSERT_EQ(c, 1) << what;
  if (view.orderedBy >= 0) {
    const auto d = static_cast<std::size_t>(view.orderedBy);
    ASSERT_LT(d, view.shape.size()) << what;
    for (std::size_t i = 1; i < view.boxes.size(); ++i) {
      const auto& box = view.boxes[i - 1];
      const auto& next = view.boxes[i];
      ASSERT_LE(box.origin[d], next.origin[d]) << what;
      ASSERT_LE(box.origin[d] + box.extent[d], next.origin[d] + next.extent[d]) << what;
    }
  }
}

// All ways to write n as a product of `rank` factors.
void factorisations(std::size_t n, unsigned rank, Dims prefix, std::vector<Dims>& out) {
  if (rank == 0) {
    if (n == 1)
      out.push_back(prefix);
    return;
  }
  for (std::size_t f = 1; f <= n; ++f)
    if (n % f == 0) {
      Dims next = prefix;
      next.push_back(f);
      factorisations(n / f, rank - 1, next, out);
    }
}

std::vector<Dims> smallShapes() {
  std::vector<Dims> out;
  for (std::size_t n : {1, 2, 3, 4, 6, 8, 12})
    for (unsigned rank = n == 1 ? 0 : 1; rank <= 3; ++rank)
      factorisations(n, rank, {}, out);
  return out;
}

struct Case {
  View view;
  Oracle oracle;
  std::string story;
};

class Chain {
public:
  explicit Chain(unsigned seed) : random_(seed) {}

  Case start() {
    Dims shape;
    const std::size_t rank = pick(1, 3);
    for (std::size_t d = 0; d < rank; ++d)
      shape.push_back(pick(1, 4));
    const auto var = static_cast<std::uint32_t>(pick(0, 2));
    // Variables of different shapes would disagree about how many elements they have; that does not
    // matter to a view.
    return {View::whole(VarId{var}, poplar::FLOAT, shape), wholeOracle(var, shape), "whole"};
  }

  void apply(Case& c) {
    const Dims& s = c.oracle.shape;
    const auto dim = s.empty() ? 0u : static_cast<unsigned>(pick(0, s.size() - 1));
    switch (pick(0, 9)) {
    case 0:
      if (!s.empty() && c.oracle.size() > 0)
        slice(c);
      break;
    case 1:
      shuffle(c);
      break;
    case 2:
      if (!s.empty()) {
        c.oracle = c.oracle.make(s, [&, shape = s](Dims i) {
          i[dim] = shape[dim] - 1 - i[dim];
          return i;
        });
        c.view = c.view.reverse(dim);
        c.story += " reverse" + std::to_string(dim);
      }
      break;
    case 3:
      if (!s.empty()) {
        const std::size_t stride = pick(1, 3);
        Dims shape = s;
        shape[dim] = (s[dim] + stride - 1) / stride;
        c.oracle = c.oracle.make(shape, [&](Dims i) {
          i[dim] *= stride;
          return i;
        });
        c.view = c.view.subSample(stride, dim);
        c.story += " subSample";
      }
      break;
    case 4:
      if (!s.empty() && c.oracle.size() < 64) {
        const std::size_t n = pick(1, 3);
        Dims shape = s;
        const std::size_t old = s[dim];
        shape[dim] *= n;
        c.oracle = c.oracle.make(shape, [&](Dims i) {
          i[dim] %= old;
          return i;
        });
        c.view = c.view.broadcast(n, dim);
        c.story += " broadcast" + std::to_string(n);
      }
      break;
    case 5:
    case 6:
      reshape(c);
      break;
    case 9:
      if (s.size() > 1 && s[0] > 0) {
        const std::size_t at = pick(0, s[0] - 1);
        c.oracle = c.oracle.make(Dims(s.begin() + 1, s.end()), [&](Dims i) {
          i.insert(i.begin(), at);
          return i;
        });
        c.view = c.view.index(at);
        c.story += " index";
      }
      break;
    case 7:
      concatSelf(c, dim);
      break;
    case 8:
      if (s.size() < 4) {
        const auto at = static_cast<unsigned>(pick(0, s.size()));
        c.view = c.view.insertDim(at);
        c.oracle.shape.insert(c.oracle.shape.begin() + at, 1);
        c.story += " insert";
      } else if (c.oracle.shape[dim] == 1) {
        c.view = c.view.removeDim(dim);
        c.oracle.shape.erase(c.oracle.shape.begin() + dim);
        c.story += " remove";
      }
      break;
    }
  }

  std::size_t pick(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(random_);
  }

private:
  void slice(Case& c) {
    Dims begin, end, shape;
    for (std::size_t extent : c.oracle.shape) {
      begin.push_back(pick(0, extent));
      end.push_back(pick(begin.back(), extent));
      shape.push_back(end.back() - begin.back());
    }
    c.oracle = c.oracle.make(shape, [&](Dims i) {
      for (std::size_t d = 0; d < i.size(); ++d)
        i[d] += begin[d];
      return i;
    });
    c.view = c.view.slice(begin, end);
    c.story += " slice";
  }

  void shuffle(Case& c) {
    std::vector<unsigned> permutation(c.oracle.shape.size());
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::shuffle(permutation.begin(), permutation.end(), random_);
    Dims shape;
    for (unsigned p : permutation)
      shape.push_back(c.oracle.shape[p]);
    c.oracle = c.oracle.make(shape, [&](const Dims& i) {
      Dims source(i.size());
      for (std::size_t d = 0; d < i.size(); ++d)
        source[permutation[d]] = i[d];
      return source;
    });
    c.view = c.view.dimShuffle(permutation);
    c.story += " shuffle";
  }

  void reshape(Case& c) {
    std::vector<Dims> shapes;
    if (c.oracle.size() == 0) {
      shapes = {{0}, {2, 0}, {0, 3, 1}};
    } else {
      for (unsigned rank = 0; rank <= 3; ++rank)
        factorisations(c.oracle.size(), rank, {}, shapes);
    }
    const Dims shape = shapes[pick(0, shapes.size() - 1)];
    c.view = c.view.reshape(shape);
    c.oracle.shape = shape;
    c.story += " reshape";
  }

  // Concatenates with a part of itself.
  void concatSelf(Case& c, unsigned dim) {
    if (c.oracle.shape.empty() || c.oracle.size() > 64)
      return;
    Case part = c;
    const std::size_t extent = c.oracle.shape[dim];
    const std::size_t from = pick(0, extent);
    Dims begin(c.oracle.shape.size(), 0), end = c.oracle.shape;
    begin[dim] = from;
    part.view = c.view.slice(begin, end);
    Dims shape = c.oracle.shape;
    shape[dim] = 2 * extent - from;
    c.oracle = c.oracle.make(shape, [&](Dims i) {
      if (i[dim] >= extent)
        i[dim] = from + i[dim] - extent;
      return i;
    });
    c.view = View::concat({c.view, part.view}, dim);
    c.story += " concat";
  }

  std::mt19937 random_;
};

} // namespace

TEST(View, ReshapesEverySmallShapeToEveryOther) {
  for (const Dims& from : smallShapes())
    for (const Dims& to : smallShapes()) {
      Oracle oracle = wholeOracle(0, from);
      const View view = View::whole(VarId{0}, poplar::FLOAT, from);
      if (view.numElements() != View::whole(VarId{0}, poplar::FLOAT, to).numElements())
        continue;
      oracle.shape = to;
      expectSame(view.reshape(to), oracle, "reshape");
      EXPECT_EQ(view.reshape(to).boxes.size(), 1u) << "a whole variable stays one box";
    }
}

TEST(View, ReshapesPermutedAndSlicedSmallShapes) {
  for (const Dims& from : smallShapes()) {
    if (from.size() != 3)
      continue;
    for (std::vector<unsigned> p = {0, 1, 2};;) {
      const View shuffled = View::whole(VarId{0}, poplar::FLOAT, from).dimShuffle(p);
      Dims shape;
      for (unsigned d : p)
        shape.push_back(from[d]);
      Oracle oracle = wholeOracle(0, from).make(shape, [&](const Dims& i) {
        Dims source(3);
        for (std::size_t d = 0; d < 3; ++d)
          source[p[d]] = i[d];
        return source;
      });
      expectSame(shuffled, oracle, "shuffle");
      for (const Dims& to : smallShapes()) {
        const std::size_t n =
            std::accumulate(to.begin(), to.end(), std::size_t{1}, std::multiplies<>());
        if (n != oracle.size())
          continue;
        Oracle reshaped = oracle;
        reshaped.shape = to;
        expectSame(shuffled.reshape(to), reshaped, "shuffle, reshape");
      }
      if (!std::next_permutation(p.begin(), p.end()))
        break;
    }
  }
}

TEST(View, RandomChainsOfOperationsMatchElementLists) {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Chain chain(seed);
    Case c = chain.start();
    const std::size_t length = chain.pick(1, 7);
    for (std::size_t i = 0; i < length; ++i)
      chain.apply(c);
    ASSERT_NO_FATAL_FAILURE(
        expectSame(c.view, c.oracle, "seed " + std::to_string(seed) + ":" + c.story));
  }
}

TEST(View, ConcatOfNeighbouringSlicesIsOneBoxAgain) {
  const View whole = View::whole(VarId{3}, poplar::FLOAT, {100});
  std::vector<View> parts;
  for (std::size_t i = 0; i < 100; i += 10)
    parts.push_back(whole.slice({i}, {i + 10}));
  EXPECT_EQ(View::concat(parts, 0).boxes.size(), 1u);
}

TEST(View, StacksOfRowsOfPiecesKnowTheirOrder) {
  std::vector<View> rows;
  for (unsigned row = 0; row != 3; ++row) {
    std::vector<View> pieces;
    for (unsigned column = 0; column != 4; ++column)
      pieces.push_back(View::whole(VarId{4 * row + column}, poplar::FLOAT, {2, 3}));
    rows.push_back(View::concat(pieces, 1));
  }
  const auto grid = View::concat(rows, 0);
  EXPECT_EQ(grid.boxes.size(), 12u);
  EXPECT_EQ(grid.orderedBy, 0);
  EXPECT_EQ(grid.reshape({6, 4, 3}).orderedBy, 0);
  EXPECT_EQ(grid.slice({2, 0}, {4, 12}).boxes.size(), 4u);
}

TEST(View, BroadcastOfAScalarTakesOneBox) {
  const View scalar = View::whole(VarId{0}, poplar::FLOAT, {});
  const View vector = scalar.insertDim(0).broadcast(1000000, 0);
  ASSERT_EQ(vector.boxes.size(), 1u);
  EXPECT_EQ(vector.runs().size(), 1u);
  EXPECT_EQ(vector.reshape({1000, 1000}).boxes.size(), 1u);
}

TEST(View, RunsPreferConsecutiveElements) {
  const View whole = View::whole(VarId{0}, poplar::FLOAT, {100});
  // 0, then 5 6 7 8: two runs, however the parts were cut.
  const View view = View::concat(
      {whole.slice({0}, {1}), whole.slice({5}, {6}), whole.slice({6}, {7}), whole.slice({7}, {9})},
      0);
  EXPECT_EQ(view.runs().size(), 2u);
}
