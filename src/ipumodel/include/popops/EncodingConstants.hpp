// Codes of labels and constants of losses. Shared with codelets.
#pragma once

// A label that stands for none.
#define MASKED_LABEL_CODE 0xFFFFFFFFU

// What is added to a probability before its logarithm is taken: the smallest normal FLOAT and the
// smallest HALF.
#define EPS_LOG_N_FLOAT (1.17549435e-38F)
#define EPS_LOG_N_HALF (5.9604645e-8F)
