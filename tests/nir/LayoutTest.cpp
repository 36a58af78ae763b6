// The file as the reference implementation reads it, by raw paths through HDF5's own interface.
#include "data/TempFolder.hpp"
#include "network/UserError.hpp"
#include "nir/Export.hpp"
#include "nir/Import.hpp"
#include "nir/NirFile.hpp"
#include "support/RandomNetworks.hpp"

#include <gmock/gmock.h>

#include <hdf5.h>

#include <random>

namespace spillway::nir {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class NirLayout : public testing::Test {
protected:
  NirLayout() {
    network_.layers[0].recurrent = true;
    network_.layers[1].bias = true;
    parameters_ = test::randomParameters(network_, 11);
    const std::vector<char> bytes =
        toFile(exportNetwork(network_, parameters_, {.dt = 1e-3, .delays = Delays::Nodes}).graph);
    const auto path = folder_.write("net.nir", test::Bytes(bytes.begin(), bytes.end()));
    file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  }
  ~NirLayout() override { H5Fclose(file_); }

  std::vector<std::string> members(const char* group) const {
    std::vector<std::string> names;
    const hid_t id = H5Gopen2(file_, group, H5P_DEFAULT);
    H5G_info_t info{};
    H5Gget_info(id, &info);
    for (hsize_t i = 0; i < info.nlinks; ++i) {
      char name[64] = "";
      H5Lget_name_by_idx(id, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
      names.emplace_back(name);
    }
    H5Gclose(id);
    return names;
  }

  // Strings as h5py makes them: of variable length, in UTF-8.
  std::vector<std::string> texts(const char* name, std::size_t count) const {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set);
    EXPECT_GT(H5Tis_variable_str(type), 0);
    EXPECT_EQ(H5Tget_cset(type), H5T_CSET_UTF8);
    std::vector<char*> pointers(count);
    EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), 0);
    std::vector<std::string> all(pointers.begin(), pointers.end());
    H5Tclose(type);
    H5Dclose(set);
    return all;
  }
  std::string text(const std::string& name) const { return texts(name.c_str(), 1).front(); }

  std::vector<float> floats(const char* name, const std::vector<hsize_t>& shape) const {
    const hid_t set = H5Dopen2(file_, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    EXPECT_GT(H5Tequal(type, H5T_IEEE_F32LE), 0);
    std::vector<hsize_t> extents(8);
    extents.resize(
        static_cast<std::size_t>(H5Sget_simple_extent_dims(space, extents.data(), nullptr)));
    EXPECT_EQ(extents, shape);
    std::vector<float> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return values;
  }

  test::TempFolder folder_;
  NetworkSpec network_ = test::smallNetwork(); // 6 inputs, 7, 5, 3 outputs
  ParameterSet parameters_;
  hid_t file_ = -1;
};

TEST_F(NirLayout, NamesNodesAndEdges) {
  EXPECT_EQ(text("version"), "1.0");
  EXPECT_EQ(text("node/type"), "NIRGraph");
  EXPECT_THAT(members("node"), UnorderedElementsAre("type", "nodes", "edges", "metadata"));
  EXPECT_THAT(members("node/nodes"),
              UnorderedElementsAre("input", "layer0_weight", "layer0", "layer0_recurrent",
                                   "layer0_delay", "layer1_weight", "layer1", "layer1_delay",
                                   "readout_weight", "readout", "output"));
  EXPECT_THAT(texts("node/edges", 22),
              ElementsAre("input", "layer0_weight", "layer0_weight", "layer0", "layer0",
                          "layer0_recurrent", "layer0_recurrent", "layer0", "layer0",
                          "layer0_delay", "layer0_delay", "layer1_weight", "layer1_weight",
                          "layer1", "layer1", "layer1_delay", "layer1_delay", "readout_weight",
                          "readout_weight", "readout", "readout", "output"));
}

// The reference implementation hands every member to the node's constructor: none may be foreign.
TEST_F(NirLayout, GivesEachTypeItsOwnMembers) {
  EXPECT_EQ(text("node/nodes/layer0/type"), "LIF");
  EXPECT_THAT(
      members("node/nodes/layer0"),
      UnorderedElementsAre("type", "tau", "r", "v_leak", "v_threshold", "v_reset", "metadata"));
  EXPECT_EQ(text("node/nodes/readout/type"), "LI");
  EXPECT_THAT(members("node/nodes/readout"),
              UnorderedElementsAre("type", "tau", "r", "v_leak", "metadata"));
  EXPECT_EQ(text("node/nodes/layer0_weight/type"), "Linear");
  EXPECT_THAT(members("node/nodes/layer0_weight"), UnorderedElementsAre("type", "weight"));
  EXPECT_EQ(text("node/nodes/layer1_weight/type"), "Affine");
  EXPECT_THAT(members("node/nodes/layer1_weight"), UnorderedElementsAre("type", "weight", "bias"));
  EXPECT_THAT(members("node/nodes/layer0_delay"), UnorderedElementsAre("type", "delay"));
  EXPECT_THAT(members("node/nodes/input"), UnorderedElementsAre("type", "shape"));
}

TEST_F(NirLayout, HoldsTransposedWeightsAndContinuousParameters) {
  const std::vector<float> weight = floats("node/nodes/layer0_weight/weight", {7, 6});
  const std::vector<float>& ours = parameters_[0].values; // [6, 7]
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(weight[i * 6 + j], ours[j * 7 + i]);
    }
  }
  // alpha = 0.8, kappa = 3, theta = 1: tau = dt / (1 - alpha), r = kappa.
  EXPECT_FLOAT_EQ(floats("node/nodes/layer0/tau", {7})[6], 5e-3f);
  EXPECT_FLOAT_EQ(floats("node/nodes/layer0/r", {7})[0], 3.0f);
  EXPECT_FLOAT_EQ(floats("node/nodes/layer0/v_threshold", {7})[0], 1.0f);
  EXPECT_FLOAT_EQ(floats("node/nodes/layer0_delay/delay", {7})[0], 1e-3f);
}

// Cut off or changed anywhere, a file is read or refused, and nothing worse.
TEST_F(NirLayout, SurvivesDamage) {
  const test::Bytes whole = test::bytesOf(folder_ / "net.nir");
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    test::Bytes damaged = whole;
    if (i % 3 == 0) {
      damaged.resize(random() % whole.size());
    } else {
      for (int change = 0; change < 20; ++change) {
        damaged[random() % whole.size()] = static_cast<std::uint8_t>(random());
      }
    }
    try {
      importNetwork(readFile(folder_.write("damaged.nir", damaged)), {});
    } catch (const UserError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
}

} // namespace
} // namespace spillway::nir
