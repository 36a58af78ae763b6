// What is planned, as text that is the same for the same plan.
#pragma once

#include <poplar/OptionFlags.hpp>
#include <poplin/ConvParams.hpp>
#include <poplin/MatMul.hpp>

#include <string>

namespace poplin {

std::string describe(const MatMulParams& params, const poplar::OptionFlags& options);
std::string describe(const ConvParams& params, const poplar::OptionFlags& options);

} // namespace poplin
