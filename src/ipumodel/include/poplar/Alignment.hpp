// Where the code of a codelet begins in memory, which matters to a tile's processor only.
#ifndef poplar_Alignment_hpp
#define poplar_Alignment_hpp

#define WORKER_ALIGN

#endif
