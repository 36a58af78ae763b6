// Declares the stack use of functions the compiler cannot see through. The host has stack enough, so
// the declarations say nothing here.
#ifndef poplar_StackSizeDefs_hpp
#define poplar_StackSizeDefs_hpp

#define DEF_STACK_USAGE(BYTES, FUNCTION)
#define DEF_STACK_SIZE_OWN(BYTES, FUNCTION)
#define DEF_FUNC_CALLS(FUNCTION, ...)
#define DEF_FUNC_CALL_PTRS(FUNCTION, ...)

#endif
