#include "cli/PlanMap.hpp"

#include <fmt/format.h>

#include <set>

namespace spillway {
namespace {

constexpr int kCellWidth = 46, kCellHeight = 26, kMargin = 60, kPanelGap = 34, kPanelsPerRow = 3;

const char* colourOf(plan::Strategy strategy) {
  switch (strategy) {
  case plan::Strategy::Base:
    return "#bdbdbd";
  case plan::Strategy::Standard:
    return "#8dd3c7";
  case plan::Strategy::Remote:
    return "#fdb462";
  case plan::Strategy::Hierarchical:
    return "#fccde5";
  case plan::Strategy::Double:
    return "#fb8072";
  case plan::Strategy::Revolve:
    return "#80b1d3";
  case plan::Strategy::Optimal:
    return "#bebada";
  case plan::Strategy::Streamed:
    return "#b3de69";
  case plan::Strategy::Cached:
    break;
  }
  return "#ffffff";
}

std::string text(int x, int y, const std::string& words, const char* anchor = "middle") {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, words);
}

std::string panel(const CrossoverMap& map, std::size_t index, int left, int top, double backward) {
  const std::size_t rows = map.lightRatios.size(), columns = map.transferRatios.size();
  std::string out = text(left + static_cast<int>(columns) * kCellWidth / 2, top - 8,
                         fmt::format("{} slots", map.slots[index]));
  for (std::size_t r = 0; r < rows; ++r) {
    const int y = top + static_cast<int>(rows - 1 - r) * kCellHeight;
    out += text(left - 6, y + 17, fmt::format("{:g}", map.lightRatios[r]), "end");
    for (std::size_t c = 0; c < columns; ++c) {
      const plan::CrossoverCell& cell = map.cells[(index * rows + r) * columns + c];
      const int x = left + static_cast<int>(c) * kCellWidth;
      const double over = cell.fastest.time / (map.numSteps * (1.0 + backward)) - 1.0;
      out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                         "stroke=\"white\"/>\n",
                         x, y, kCellWidth, kCellHeight, colourOf(cell.fastest.choice.strategy));
      out += text(x + kCellWidth / 2, y + 17, fmt::format("{:.1f}", 100.0 * over));
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    out += text(left + static_cast<int>(c) * kCellWidth + kCellWidth / 2,
                top + static_cast<int>(rows) * kCellHeight + 14,
                fmt::format("{:g}", map.transferRatios[c]));
  }
  return out;
}

double backwardRatio(const plan::PlanRequest& request) {
  return request.costs.forward > 0.0 ? request.costs.backward / request.costs.forward : 2.0;
}

} // namespace

CrossoverMap crossoverFor(const plan::PlanRequest& request) {
  CrossoverMap map;
  map.numSteps = request.numSteps;
  map.overlap = request.overlap;
  map.slots = {8, 16, 32, 64, 128, 256};
  map.lightRatios = {0.05, 0.1, 0.2, 0.3, 0.5, 1.0};
  map.transferRatios = {0.25, 1.0, 4.0, 16.0, 50.0, 200.0};
  map.cells = plan::crossoverMap(request.numSteps, map.slots, map.lightRatios, map.transferRatios,
                                 backwardRatio(request),
                                 map.overlap ? plan::Overlap::Yes : plan::Overlap::No);
  return map;
}

std::string crossoverTable(const CrossoverMap& map) {
  std::string out = "slots,light_over_forward,transfer_over_forward,strategy,time_over_base\n";
  for (const plan::CrossoverCell& cell : map.cells) {
    out += fmt::format("{},{:g},{:g},{},{:.6f}\n", cell.numSlots, cell.lightRatio,
                       cell.transferRatio, plan::nameOf(cell.fastest.choice.strategy),
                       cell.fastest.time / (map.numSteps * (1.0 + cell.backwardRatio)));
  }
  return out;
}

std::string crossoverPicture(const CrossoverMap& map) {
  const int panelWidth = static_cast<int>(map.transferRatios.size()) * kCellWidth;
  const int panelHeight = static_cast<int>(map.lightRatios.size()) * kCellHeight;
  const int panelRows = (static_cast<int>(map.slots.size()) + kPanelsPerRow - 1) / kPanelsPerRow;
  const int width = kMargin + kPanelsPerRow * (panelWidth + kPanelGap + 20);
  const int height = kMargin + panelRows * (panelHeight + kPanelGap + 30) + 60;
  const double backward = map.cells.front().backwardRatio;
  std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                                "height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                                "font-family=\"sans-serif\" font-size=\"11\">\n"
                                "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
                                width, height);
  out += text(width / 2, 20,
              fmt::format("Fastest strategy at T = {}, b = {:.3g} f, transfers {}; percent over "
                          "T(f+b). Down: r/f; across: one transfer / f",
                          map.numSteps, backward, map.overlap ? "may overlap" : "hold up compute"));
  for (std::size_t i = 0; i < map.slots.size(); ++i) {
    const int column = static_cast<int>(i) % kPanelsPerRow,
              row = static_cast<int>(i) / kPanelsPerRow;
    out += panel(map, i, kMargin + column * (panelWidth + kPanelGap + 20),
                 kMargin + row * (panelHeight + kPanelGap + 30), backward);
  }
  std::set<plan::Strategy> winners;
  for (const plan::CrossoverCell& cell : map.cells) {
    winners.insert(cell.fastest.choice.strategy);
  }
  int x = kMargin;
  for (const plan::Strategy strategy : winners) {
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"14\" height=\"14\" fill=\"{}\"/>\n", x,
                       height - 32, colourOf(strategy));
    out += text(x + 20, height - 20, plan::nameOf(strategy), "start");
    x += 110;
  }
  return out + "</svg>\n";
}

} // namespace spillway
