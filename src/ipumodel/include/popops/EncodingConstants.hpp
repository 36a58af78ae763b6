// Codes of labels. Shared with codelets.
#pragma once

// A label that stands for none.
#define MASKED_LABEL_CODE 0xFFFFFFFFU
