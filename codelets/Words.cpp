// Words in and out of the matrix that embeds them (docs/language.md). Rows are steps of samples,
// [sample][step].
#include "maths/Control.hpp"
#include "maths/Cycles.hpp"
#include "maths/Dropout.hpp"
#include "maths/Phase.hpp"
#include "maths/WordScores.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

static ValueMask wordMask(unsigned key, unsigned training, float p) {
  return {key, kWordStream, 0, training != 0 ? p : 0.0f};
}

// The events that layer 0 receives: every element of a step's word.
template <typename Id>
class LookUpWords : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;     // PhaseWord
  Input<Vector<int, VectorLayout::ONE_PTR>> words;          // [sample][step] or kNoWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> embedding; // [word][size]
  Output<Vector<Id, VectorLayout::ONE_PTR, 8>> history;     // [step][sample][width]
  const unsigned samples, steps, size, width;
  const float dropout;

  bool compute(unsigned worker) {
    const ValueMask mask = wordMask(phase[kMaskKey], phase[kTraining], dropout);
    for (unsigned sample = worker; sample < samples; sample += numWorkers()) {
      for (unsigned t = 0; t < steps; ++t) {
        const int word = words[sample * steps + t];
        Id* list = &history[(static_cast<unsigned long>(t) * samples + sample) * width];
        list[0] = list[1] = static_cast<Id>(word == kNoWord ? 0 : size);
        if (word != kNoWord) {
          write(list, static_cast<unsigned>(word), mask.scale(0, static_cast<unsigned>(word)));
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return tileCycles(20 + 6ul * samples * steps * size / kWorkers);
  }

private:
  void write(Id* list, unsigned word, float scale) const {
    const float* row = &embedding[static_cast<unsigned long>(word) * size];
    ListValue* values = reinterpret_cast<ListValue*>(list + valuesBegin(size));
    for (unsigned i = 0; i < size; ++i) {
      list[kListHeader + i] = static_cast<Id>(i);
      values[i] = scale * row[i];
    }
  }
};

// What layer 0's tiles send back to the step they have run, kept for the embedding's gradient.
class KeepInputGradients : public MultiVertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> control;       // of layer 0
  Vector<Input<Vector<float, VectorLayout::ONE_PTR>>> partials; // per tile: [sample][size]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradients;     // [sample][step][size]
  const unsigned samples, steps, size;

  bool compute(unsigned worker) {
    for (unsigned sample = worker; control[kNumSteps] != 0 && sample < samples;
         sample += numWorkers()) {
      const unsigned long from = static_cast<unsigned long>(sample) * size;
      float* to =
          &gradients[(static_cast<unsigned long>(sample) * steps + control[kFirstStep]) * size];
      for (unsigned i = 0; i < size; ++i) {
        to[i] = partials[0][from + i];
      }
      for (unsigned tile = 1; tile < partials.size(); ++tile) {
        const float* partial = &partials[tile][from];
        for (unsigned i = 0; i < size; ++i) {
          to[i] += partial[i];
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    const unsigned long work = control[kNumSteps] * partials.size() * 4ul * samples * size;
    return tileCycles(20 + work / kWorkers);
  }
};

// The embedding's gradient: rows of the words that occurred, and no others.
class AddWordGradients : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;     // PhaseWord
  Input<Vector<int, VectorLayout::SPAN>> words;             // [sample][step] or kNoWord
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> gradients; // [sample][step][size]
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> gradient;  // [the tile's words][size]
  const unsigned firstWord, numWords, size;
  const float dropout;

  bool compute() {
    const ValueMask mask = wordMask(phase[kMaskKey], phase[kTraining], dropout);
    for (unsigned row = 0; phase[kTraining] != 0 && row < words.size(); ++row) {
      const unsigned word = static_cast<unsigned>(words[row]) - firstWord;
      if (words[row] == kNoWord || word >= numWords) {
        continue;
      }
      const float scale = mask.scale(0, static_cast<unsigned>(words[row]));
      const float* from = &gradients[static_cast<unsigned long>(row) * size];
      float* to = &gradient[static_cast<unsigned long>(word) * size];
      for (unsigned i = 0; i < size; ++i) {
        to[i] += scale * from[i];
      }
    }
    return true;
  }

  unsigned long estimateCycles() const { return 20 + 6 * words.size(); }
};

template class LookUpWords<unsigned short>;
template class LookUpWords<unsigned>;
