// Constants of the tile that portable codelets use. The registers themselves do not exist here.
#ifndef poplar_TileConstants_hpp
#define poplar_TileConstants_hpp

#define CTXT_WORKERS 6 /* worker threads of a tile */
#define CTXT_TOTAL 7   /* and the supervisor */

/* Longest count of the `rpt` instruction. */
#define CSR_W_REPEAT_COUNT__VALUE__SIZE 16
#define CSR_W_REPEAT_COUNT__VALUE__MASK 0xffff

#endif
