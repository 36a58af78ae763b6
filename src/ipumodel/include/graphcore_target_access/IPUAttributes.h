// What a device tells of its board; see poplar::Device::getAttribute().
#pragma once

namespace IPUAttributes {

enum class AttributeId { BoardType, BoardVariant };

} // namespace IPUAttributes
