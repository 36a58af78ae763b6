#include "config/Keys.hpp"

namespace spillway {
namespace {

using Data = DataSettings;

// Which samples there are, and how they become events.
Keys<Data> sampleKeys() {
  return {
      word("set", &Data::set, dataSetNames(),
           "The data set; `spillway data --list` says what each is."),
      text("path", &Data::path, "a folder or file", "Where a real data set lies."),
      whole("steps", &Data::numSteps, 1, 100000000, "steps", "Time steps per sample, T."),
      real("stepMs", &Data::stepMs, Interval::atLeast(0), "ms",
           "Length of a time step in recordings. 0: the data set's own."),
      whole("seed", &Data::seed, 0, UINT64_MAX, "", "Seed of synthetic data and of augmentation."),
      whole("maxTrain", &Data::maxTrain, 0, UINT32_MAX, "samples",
            "Training samples used, drawn by the seed. 0: all."),
      whole("maxTest", &Data::maxTest, 0, UINT32_MAX, "samples",
            "Test samples used, drawn by the seed. 0: all."),
      whole("validation", &Data::numValidation, 0, UINT32_MAX, "samples",
            "Training samples held out, drawn by the seed, and evaluated after epochs in the "
            "place of the test data, which is then left for the end."),
      bytes("batchMemory", &Data::batchMemoryBytes,
            "Memory for the events of a batch; a longer one goes to a temporary file. 0: no "
            "limit."),
      word("encoding", &Data::encoding, {"row", "pixel", "rate", "latency", "greyRow", "greyPixel"},
           "How images become events; the last two carry grey values, for gated layers. "
           "Empty: the data set's own."),
      word("pixelOrder", &Data::pixelOrder, {"reading", "random", "bitReversed"},
           "The order in which greyPixel shows pixels; random is drawn by data.seed. Empty: "
           "reading."),
      whole("levels", &Data::levels, 1, 255, "",
            "Grey levels that row and pixel encoding tell apart."),
      whole("downsample", &Data::downsample, 1, 1024, "",
            "Sensor pixels or channels joined into one input, per axis."),
      word("unlabelled", &Data::unlabelled, {"skip", "first"},
           "Steps without a class in the files (qtdb): skip, no loss and not counted; first, of "
           "class 0, as an argmax over their row of zeros has it. Empty: skip."),
      whole("delays", &Data::numDelays, 1, 65535, "",
            "Times every event arrives, each at inputs of its own: at once, after delaySteps, "
            "twice delaySteps, ..."),
      whole("delaySteps", &Data::delaySteps, 1, 100000000, "steps",
            "Steps between two arrivals of an event."),
  };
}

// What synthetic data are like.
Keys<Data> syntheticKeys() {
  return {
      whole("inputs", &Data::numInputs, 1, 65535, "", "Inputs of synthetic data."),
      whole("classes", &Data::numClasses, 2, 65535, "",
            "Classes of synthetic data, and of images: labels lie below."),
      whole("samplesPerClass", &Data::samplesPerClass, 1, 10000000, "samples",
            "Training samples per class of synthetic data; the test has a quarter as many."),
      whole("manifoldDimension", &Data::manifoldDimension, 1, 16, "",
            "Dimension of the manifolds (randman)."),
      real("smoothness", &Data::smoothness, Interval::atLeast(0), "",
           "Smoothness of the manifolds (randman)."),
      real("activity", &Data::activity, Interval::between(0, 1), "spikes per input and step",
           "Activity of Poisson patterns."),
  };
}

// How training samples are varied.
Keys<Data> augmentationKeys() {
  return {
      real("jitterSteps", &Data::jitterSteps, Interval::atLeast(0), "steps",
           "Augmentation: standard deviation of each training event's time."),
      real("shiftInputs", &Data::shiftInputs, Interval::atLeast(0), "inputs",
           "Augmentation: standard deviation of a training sample's shift along the inputs."),
      real("dropFraction", &Data::dropFraction, Interval::fromBelow(0, 1), "",
           "Augmentation: fraction of training events left out."),
      real("stretch", &Data::stretch, Interval::atLeast(0), "",
           "Augmentation: standard deviation of the factor, around 1, on a training sample's "
           "times."),
      real("shiftSteps", &Data::shiftSteps, Interval::atLeast(0), "steps",
           "Augmentation: standard deviation of a training sample's shift in time."),
  };
}

} // namespace

const std::vector<std::string>& dataSetNames() {
  static const std::vector<std::string> names{
      "randman", "poisson", "recall", "copy",       "adding", "mnist",  "fashion-mnist",
      "shd",     "ssc",     "nmnist", "dvsgesture", "qtdb",   "raster", "text"};
  return names;
}

Keys<Settings> dataKeys() {
  Keys<Data> keys = sampleKeys();
  for (const Keys<Data>& more : {syntheticKeys(), augmentationKeys()}) {
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return lift("data.", &Settings::data, keys);
}

} // namespace spillway
