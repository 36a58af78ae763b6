#include "report/Page.hpp"

#include "network/UserError.hpp"
#include "report/Assets.hpp"

#include <fmt/format.h>

namespace spillway {
namespace {

// In a script element only "</" could end the element early.
std::string escapeScript(const std::string& json) {
  std::string escaped;
  for (const char c : json) {
    escaped += c == '<' ? "\\u003c" : std::string(1, c);
  }
  return escaped;
}

std::string escapeText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return escaped;
}

} // namespace

std::string makePage(const std::string& title, std::string_view script, const std::string& json) {
  if (asset::uplotScript().empty()) {
    throw UserError(
        "this build has no plotting library: the npm registry could not be reached when "
        "it was configured. Configure again with network access (cmake --preset release), "
        "or with -DUPLOT_TARBALL=uplot-1.6.32.tgz, and build");
  }
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n"
                     "<style>\n{}\n{}</style>\n</head>\n<body>\n"
                     "<script type=\"application/json\" id=\"data\">{}</script>\n"
                     "<script>\n{}\n</script>\n<script>\n{}\n{}</script>\n</body>\n</html>\n",
                     escapeText(title), asset::uplotStyle(), asset::reportStyle(),
                     escapeScript(json), asset::uplotScript(), asset::chartsScript(), script);
}

} // namespace spillway
