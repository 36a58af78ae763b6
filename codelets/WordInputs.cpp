// Between the last layer and a softmax over words (docs/language.md): its events of all steps as
// dense rows, and what comes back to them. Rows are steps of samples, [sample][step].
#include "maths/Dropout.hpp"
#include "maths/MatrixProduct.hpp"
#include "maths/Phase.hpp"
#include "maths/StoredLists.hpp"
#include "maths/WordScores.hpp"

#include <poplar/Vertex.hpp>

using namespace poplar;
using namespace spillway;

// What a group of samples sends to the softmax: the last layer's events of all steps as dense rows.
template <typename Id>
class ExpandEvents : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase; // PhaseWord
  // The group's, of step t at index 1 + t; see maths/StoredLists.hpp.
  Vector<Input<Vector<Id, VectorLayout::ONE_PTR, 8>>> history;
  Vector<Input<Vector<unsigned, VectorLayout::ONE_PTR>>> begins;
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> inputs; // [sample][step][size]
  const unsigned firstSample, samples, samplesPerShard;
  const unsigned steps, size;
  const unsigned width, capacity;
  const bool appended;
  const float dropout;

  bool compute() {
    const ValueMask mask = maskOfBatch(phase, kOutputStream, size, dropout);
    for (unsigned sample = 0; sample < samples; ++sample) {
      for (unsigned t = 0; t < steps; ++t) {
        const List<Id> list = storedList<Id>(*this, t + 1ul, sample);
        float* to = &inputs[(static_cast<unsigned long>(sample) * steps + t) * size];
        for (unsigned i = 0; i < size; ++i) {
          to[i] = 0.0f;
        }
        for (unsigned k = 0; k < list.numSpikes(); ++k) {
          const unsigned id = list.ids()[k];
          to[id] = list.values(storedCapacity(*this))[k] * mask.scale(firstSample + sample, id);
        }
      }
    }
    return true;
  }

  unsigned long estimateCycles() const { return 20 + 4ul * samples * steps * size; }
};

// What comes back from all tiles' words to what a group of samples sent them, and the penalties on
// that.
class WordInputGradients : public Vertex {
public:
  Input<Vector<unsigned, VectorLayout::ONE_PTR>> phase;          // PhaseWord
  Vector<Input<Vector<float, VectorLayout::ONE_PTR, 8>>> errors; // per tile: [row][its words]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> embedding;      // [word][size]
  Input<Vector<float, VectorLayout::ONE_PTR, 8>> inputs;         // [sample][step][size]
  Output<Vector<float, VectorLayout::ONE_PTR, 8>> gradients;     // likewise; dL/dy
  Output<float> penalty; // the group's, times the samples of the batch
  InOut<Vector<float, VectorLayout::ONE_PTR, 8>> scratch; // [kProductScratch]
  const unsigned firstSample, samples, steps, size;
  const unsigned numWords, wordsPerTile; // the last tile may hold fewer
  const float dropout;
  const float activity, slowness; // divided by the number of squares in the mean
  const float batchSize;

  bool compute() {
    const unsigned rows = samples * steps;
    for (unsigned tile = 0; tile < errors.size(); ++tile) {
      const unsigned first = tile * wordsPerTile;
      const unsigned held = numWords - first < wordsPerTile ? numWords - first : wordsPerTile;
      multiplyMatrices({&errors[tile][0], held, 1},
                       {&embedding[static_cast<unsigned long>(first) * size], size, 1},
                       {rows, held, size}, tile == 0 ? ProductSum::Start : ProductSum::Add,
                       &gradients[0], size, &scratch[0]);
    }
    *penalty = 0.0f;
    if (activity != 0.0f || slowness != 0.0f) {
      penalise();
    }
    const ValueMask mask{phase[kMaskKey], kOutputStream, size, dropout};
    for (unsigned row = 0; dropout != 0.0f && row < rows; ++row) {
      float* gradient = &gradients[static_cast<unsigned long>(row) * size];
      for (unsigned i = 0; i < size; ++i) {
        gradient[i] *= mask.scale(firstSample + row / steps, i);
      }
    }
    return true;
  }

  unsigned long estimateCycles() const {
    return 20 + 2ul * samples * steps * numWords * ((size + 1) / 2);
  }

private:
  void penalise() {
    float sum = 0.0f;
    for (unsigned row = 0; row < samples * steps; ++row) {
      const unsigned long at = static_cast<unsigned long>(row) * size;
      const bool hasBefore = row % steps != 0, hasAfter = row % steps != steps - 1;
      for (unsigned i = 0; i < size; ++i) {
        const float y = inputs[at + i];
        const float sinceBefore = hasBefore ? y - inputs[at - size + i] : 0.0f;
        const float sinceAfter = hasAfter ? y - inputs[at + size + i] : 0.0f;
        sum += activity * y * y + slowness * sinceBefore * sinceBefore;
        gradients[at + i] += 2.0f * (activity * y + slowness * (sinceBefore + sinceAfter));
      }
    }
    *penalty = batchSize * sum;
  }
};

template class ExpandEvents<unsigned short>;
template class ExpandEvents<unsigned>;
