#include "plan/ScheduleText.hpp"

#include "network/UserError.hpp"
#include "plan/PaperStrategies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace spillway::plan {
namespace {

std::string textOf(const Schedule& schedule) {
  std::ostringstream out;
  writeText(out, schedule);
  return out.str();
}

Schedule parsed(const std::string& text) {
  std::istringstream in(text);
  return parseSchedule(in);
}

TEST(ScheduleText, ShowsDoubleOfSixStepsAsAReaderWouldWriteIt) {
  EXPECT_EQ(textOf(doubleCheckpointing(6, 2, 1)), "schedule steps 6 slots 3 rows 1 staging 0\n"
                                                  "forward 0 2 last from initial to 0\n"
                                                  "write 0 row 0 count 1\n"
                                                  "forward 2 4 last from 0 to 0\n"
                                                  "forward 4 6 all from 0 to 1\n"
                                                  "backward 3 6 at 0\n"
                                                  "read 0 row 0 count 1\n"
                                                  "light 2 3 last from 0 to 1\n"
                                                  "backward 1 3 at 0\n"
                                                  "light 0 1 last from initial to 0\n"
                                                  "backward 0 1 at 0\n");
}

TEST(ScheduleText, ParsesBackExactly) {
  for (Form form : {Form::Tight, Form::Literal})
    for (const Schedule& schedule :
         {base(7), standard(23, 5, form), remote(23, 4, form), hierarchical(40, 3, 4, form),
          doubleCheckpointing(41, 9, 4, form)})
      EXPECT_EQ(parsed(textOf(schedule)), schedule);
  const std::string overlapped = "schedule steps 2 slots 1 rows 4 staging 1\n"
                                 "start-write 0 row 3\nstart-read row 3\nfinish-read 0 row 3\n";
  EXPECT_EQ(textOf(parsed(overlapped)), overlapped);
}

TEST(ScheduleText, NamesTheLineItCannotRead) {
  const auto messageOf = [](const std::string& text) -> std::string {
    try {
      parsed(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  const std::string header = "# comment\nschedule steps 2 slots 1 rows 0 staging 0\n";
  EXPECT_THAT(messageOf(header + "forwards 0 1\n"), testing::HasSubstr("line 3"));
  EXPECT_THAT(messageOf(header + "forward 0 x last from 0 to 0\n"), testing::HasSubstr("'x'"));
  EXPECT_THAT(messageOf(header + "backward 0 1 at\n"), testing::HasSubstr("ends too early"));
  EXPECT_THAT(messageOf(header + "copy initial to 0 0\n"), testing::HasSubstr("after the end"));
  EXPECT_THAT(messageOf(""), testing::HasSubstr("header"));
}

} // namespace
} // namespace spillway::plan
