// Bytes of code per tile against rows of real profiles, within a quarter.
#include "machine/ExchangeCost.hpp"
#include "machine/TransferCost.hpp"

#include <gtest/gtest.h>

namespace ipumodel {
namespace {

const MachineParameters kMachine = MachineParameters::of(MachineVersion::Gc200);

void expectWithinAQuarter(std::uint64_t bytes, double known) {
  EXPECT_NEAR(static_cast<double>(bytes), known, 0.25 * known);
}

TEST(ProgramBytes, ABroadcastTakesTheExchangeCodeOfARealProfile) {
  expectWithinAQuarter(
      exchangeCodeBytes({.tile = 1, .bytesReceived = 4, .receiveFragments = 1}, kMachine), 14);
}

TEST(ProgramBytes, ControlCodeFollowsTheRowsOfARealProfile) {
  const std::uint64_t execute = kMachine.executeControlBytes,
                      exchange = kMachine.exchangeControlBytes;
  expectWithinAQuarter(execute, 8);                 // Relu
  expectWithinAQuarter(exchange, 12);               // broadcast of a program id
  expectWithinAQuarter(execute + exchange, 20);     // scalar Max and Div
  expectWithinAQuarter(2 * execute + exchange, 28); // Add: exchange, rearrange, execute
}

TEST(ProgramBytes, AnAllToAllOfSmallMessagesFillsATileWithCode) {
  const TileTraffic traffic{.tile = 0,
                            .bytesSent = 4,
                            .bytesReceived = 4 * 1471,
                            .sendFragments = 1,
                            .receiveFragments = 1471};
  expectWithinAQuarter(exchangeCodeBytes(traffic, kMachine), 17'700);
}

TEST(ProgramBytes, PacketHeadersFollowThePayloads) {
  EXPECT_EQ(packetHeadersToHost(960, kMachine), 32u);
  EXPECT_EQ(packetHeadersFromHost(960, kMachine), 8u);
  EXPECT_EQ(packetHeadersToHost(0, kMachine), 0u);
}

TEST(ProgramBytes, StacksOfATileSumUp) {
  EXPECT_EQ(kMachine.supervisorStackBytes + kMachine.workerContexts * kMachine.workerStackBytes,
            1760u);
}

} // namespace
} // namespace ipumodel
