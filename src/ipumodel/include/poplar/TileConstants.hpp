// Constants of the tile that portable codelets use. The registers themselves do not exist here.
// Spelled as libraries that bring their own copies spell them, so that both may be included.
#ifndef poplar_TileConstants_hpp
#define poplar_TileConstants_hpp

#define CTXT_WORKERS (6) /* worker threads of a tile */
#define CTXT_TOTAL 7     /* and the supervisor */

/* Longest count of the `rpt` instruction. */
#define CSR_W_REPEAT_COUNT__VALUE__SIZE 16
#define CSR_W_REPEAT_COUNT__VALUE__MASK 0xffff

/* Elements that a part of the matrix unit takes in a cycle. */
#define CONV_UNIT_INPUT_LOAD_ELEMS_FLOAT (2)
#define CONV_UNIT_INPUT_LOAD_ELEMS_HALF (4)
#define CONV_UNIT_INPUT_LOAD_ELEMS_QUARTER (8)

/* Bits of a stride of loads and stores that step their address. */
#define NUM_STRIDE_BITS (10)

/* Bytes of a memory element, and bits of an address. */
#define TMEM_ELEMSIZE (0x4000)
#define TMEM_BYTE_MAX_ADDRESS_WIDTH (21)

#endif
