#include "network/Validate.hpp"

#include "network/UserError.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace spillway {
namespace {

using testing::HasSubstr;

NetworkSpec legalNetwork() {
  NetworkSpec network;
  network.numInputs = 10;
  network.layers.resize(2);
  network.layers[0].size = 8;
  network.layers[1].size = 4;
  network.readout.numOutputs = 3;
  return network;
}

std::string messageAfter(const std::function<void(NetworkSpec&)>& change) {
  NetworkSpec network = legalNetwork();
  change(network);
  try {
    validate(network);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Validate, AcceptsALegalNetwork) {
  EXPECT_NO_THROW(validate(legalNetwork()));
}

TEST(Validate, MessageGivesSettingValueAndRange) {
  const std::string message = messageAfter([](NetworkSpec& n) { n.layers[1].alpha = 1.25; });
  EXPECT_THAT(message, HasSubstr("layer1.alpha = 1.25"));
  EXPECT_THAT(message, HasSubstr("at least 0 and below 1"));
}

TEST(Validate, RefusesWhatIsOutOfRange) {
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.numInputs = 0; }),
              HasSubstr("network.inputs = 0"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.maxInputEvents = 11; }),
              HasSubstr("0 (no cap) to 10"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers.clear(); }), HasSubstr("network.layers"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers[0].size = 65536; }),
              HasSubstr("1 to 65535"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers[0].maxActive = 9; }),
              HasSubstr("maxActive = 9"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers[0].theta = 0; }), HasSubstr("theta = 0"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers[0].gradientTheta = 1.5; }),
              HasSubstr("gradientTheta = 1.5"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.layers[0].surrogate.width = 0; }),
              HasSubstr("surrogateWidth = 0"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.readout.numOutputs = 0; }),
              HasSubstr("readout.outputs = 0"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.loss.rate.upperRate = 1.5; }),
              HasSubstr("rateUpperTarget = 1.5"));
  EXPECT_THAT(messageAfter([](NetworkSpec& n) {
                n.layers[0].neuron = NeuronKind::Alif;
                n.layers[0].rho = 1.0;
              }),
              HasSubstr("rho = 1"));
}

TEST(Validate, SpikeCountNeedsOneNeuronPerClass) {
  EXPECT_THAT(messageAfter([](NetworkSpec& n) { n.readout.kind = ReadoutKind::SpikeCount; }),
              HasSubstr("readout.outputs = 3"));
  EXPECT_EQ(messageAfter([](NetworkSpec& n) {
              n.readout.kind = ReadoutKind::SpikeCount;
              n.readout.numOutputs = 4;
            }),
            "");
}

} // namespace
} // namespace spillway
