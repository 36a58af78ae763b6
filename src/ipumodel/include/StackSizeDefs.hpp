// Codelets find this header under both names.
#ifndef ipumodel_StackSizeDefs_hpp
#define ipumodel_StackSizeDefs_hpp

#include <poplar/StackSizeDefs.hpp>

#endif
