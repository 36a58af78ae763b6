// How each named data set is put together; OpenDataSet.cpp holds the list.
#pragma once

#include "config/Settings.hpp"
#include "data/SourceDataSet.hpp"

namespace spillway {

// Each fills in grid, number of outputs, kind of labels and both sources.
void openRandman(const DataSettings& settings, SourceDataSetParts& parts);
void openPoisson(const DataSettings& settings, SourceDataSetParts& parts);
void openStoreRecall(const DataSettings& settings, SourceDataSetParts& parts);
void openCopy(const DataSettings& settings, SourceDataSetParts& parts);
void openAdding(const DataSettings& settings, SourceDataSetParts& parts);
void openImages(const DataSettings& settings, SourceDataSetParts& parts);
void openShd(const DataSettings& settings, SourceDataSetParts& parts);
void openNMnist(const DataSettings& settings, SourceDataSetParts& parts);
void openDvsGesture(const DataSettings& settings, SourceDataSetParts& parts);
void openQtdb(const DataSettings& settings, SourceDataSetParts& parts);
void openRaster(const DataSettings& settings, SourceDataSetParts& parts);
void openText(const DataSettings& settings, SourceDataSetParts& parts);

} // namespace spillway
