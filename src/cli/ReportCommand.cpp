#include "cli/Arguments.hpp"
#include "cli/Commands.hpp"
#include "cli/ShowPage.hpp"
#include "network/UserError.hpp"
#include "report/RunReport.hpp"
#include "train/DurableFile.hpp"

namespace spillway {

namespace po = boost::program_options;

ExitCode reportCommand(const Words& words, std::ostream& out) {
  Arguments arguments({"report", "RUN... [options]",
                       "Makes one HTML page of one or several runs: learning curves, activity, "
                       "speed, memory,\nand the keys in which they differ. It works from the file, "
                       "without a network.",
                       "spillway report runs/quickstart runs/quickstart-2 --output compare.html"});
  arguments.options().add_options()("output", po::value<std::string>()->value_name("FILE"),
                                    "the page [report.html in the first run's folder]")(
      "json", "print the page's data instead")("open",
                                               "show the page in a browser: $BROWSER, or xdg-open");
  arguments.positional("run", -1);
  const auto given = arguments.parse(words, out);
  if (!given) {
    return ExitCode::Done;
  }
  required(*given, "run", "report RUN... [options]");
  const std::vector<std::string> names = values(*given, "run");
  const std::vector<std::filesystem::path> runs(names.begin(), names.end());
  if (given->contains("json")) {
    out << runsAsJson(runs) << "\n";
    return ExitCode::Done;
  }
  const std::filesystem::path page =
      given->contains("output") ? std::filesystem::path((*given)["output"].as<std::string>())
                                : runs.front() / "report.html";
  writeDurably(page, runReportPage(runs));
  out << page.string() << "\n";
  if (given->contains("open")) {
    showPage(page, out);
  }
  return ExitCode::Done;
}

} // namespace spillway
