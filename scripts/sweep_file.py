"""The file of a sweep: read, and refused with file and line where it cannot be meant."""
import configparser
import difflib
import itertools
import re
import sys

FAILED, MISTAKE, INPUT_OUTPUT, INTERRUPTED = 1, 2, 3, 130  # exit codes

SECTIONS = ["sweep", "grid", "points", "set", "plot"]

# What `spillway train` writes into summary.json.
FIELDS = ["updates", "epochs", "seconds", "remoteTransfers", "remoteStalls", "remoteStallSeconds", "secondsPerUpdate",
          "ranks", "microBatches", "reduceSeconds", "trainLoss", "trainAccuracy", "testLoss", "testAccuracy",
          "bestTestAccuracy", "peakMemoryBytes", "device", "testPerplexity", "validationLoss", "validationAccuracy"]


def fail(message, code=MISTAKE):
    print(f"sweep: {message}", file=sys.stderr)
    sys.exit(code)


def unknown(word, legal):
    """What to say of a word that is none of the legal ones."""
    near = difflib.get_close_matches(word, legal, 1)
    return f"must be one of {', '.join(legal)}" + (f"; did you mean {near[0]}?" if near else "")


def whole_number(text, what):
    if not re.fullmatch(r"[1-9]\d*", str(text)):
        fail(f"{what} = {text}: must be a whole number from 1")
    return int(text)


def line_numbers(text):
    """Where sections and keys stand: {section: line} and {(section, key): line}."""
    lines, section = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        header, key = re.match(r"\[([^]]+)\]", line), re.match(r"([^\s#;\[=][^=]*?)\s*=", line)
        if header:
            section = header[1]
            lines.setdefault(section, number)
        elif key:
            lines.setdefault((section, key[1]), number)
    return lines


def first_error(error):
    """Line and text of what configparser says over several lines."""
    if isinstance(error, configparser.DuplicateOptionError):
        return error.lineno, f"{error.option} is given twice in [{error.section}]"
    if isinstance(error, configparser.DuplicateSectionError):
        return error.lineno, f"there are two sections [{error.section}]"
    if isinstance(error, configparser.MissingSectionHeaderError):
        return error.lineno, "no section headers before this line; the first must be [sweep]"
    return error.errors[0][0], f"neither key = value nor a section: {error.errors[0][1]}"


class SweepFile:
    """What the file says, by section; points are checked, and the picture against them."""

    def __init__(self, path):
        self.path = path
        parser = configparser.ConfigParser(interpolation=None, inline_comment_prefixes=("#",), delimiters=("=",),
                                           default_section="")
        parser.optionxform = str  # keys are case-sensitive
        try:
            text = path.read_text(encoding="utf-8")
            parser.read_string(text, str(path))
        except (OSError, UnicodeDecodeError) as error:
            fail(f"cannot read {path}: {error}", INPUT_OUTPUT)
        except configparser.Error as error:
            fail("{}:{}: {}".format(path, *first_error(error)))
        self.lines = line_numbers(text)
        for section in parser.sections():
            if section not in SECTIONS:
                self.refuse(section, f"unknown section [{section}]: it {unknown(section, SECTIONS)}")
        if not parser.has_option("sweep", "config"):
            fail(f"{path}: [sweep] needs config = FILE")
        self.sweep, self.grid, self.listed, self.set, self.plot = (
            dict(parser[section]) if parser.has_section(section) else {} for section in SECTIONS)
        for key in self.sweep:
            if key not in ("config", "workers"):
                self.refuse(("sweep", key), f"[sweep] does not know {key}: it {unknown(key, ['config', 'workers'])}")
        self.points = self.grid_points()
        self.add_listed_points()
        self.keys = list(dict.fromkeys(key for point in self.points.values() for key in point))
        self.require_plot()

    def refuse(self, place, message):
        """Ends with the line of a section, or of a key as (section, key)."""
        fail(f"{self.path}:{self.lines.get(place, 1)}: {message}")

    def workers(self):
        return whole_number(self.sweep.get("workers", 1), f"{self.path}:{self.lines.get(('sweep', 'workers'), 1)}: workers")

    def grid_points(self):
        """Every combination of the values, named by its number."""
        axes = {}
        for key, text in self.grid.items():
            place, axes[key] = ("grid", key), [value.strip() for value in text.split("|")]
            if key in self.set:
                self.refuse(place, f"{key} is in [grid] and, in line {self.lines[('set', key)]}, in [set]: leave one of them out")
            for value in axes[key]:
                if not value or "\n" in value:
                    self.refuse(place, f"{key} = {' '.join(text.split())}: must be values separated by |, none of them empty")
                if axes[key].count(value) > 1:
                    self.refuse(place, f"{key} = {text}: {value} is given twice")
        if not axes:
            return {}
        return {f"grid-{number:04}": dict(zip(axes, values)) for number, values in enumerate(itertools.product(*axes.values()))}

    def add_listed_points(self):
        for name, text in self.listed.items():
            place, words = ("points", name), text.split()
            if name in self.points or not re.fullmatch(r"\w[\w.-]*", name) or name.startswith("sweep."):
                self.refuse(place, f"[points] {name}: must be a name of its own of letters, digits, '.', '_' and '-', "
                                   "not one of the sweep's own files")
            for word in words:
                if not re.fullmatch(r"[^=]+=.*", word):
                    self.refuse(place, f"[points] {name}: '{word}' must be section.key=value")
            self.points[name] = dict(word.split("=", 1) for word in words)
            if len(self.points[name]) != len(words):
                self.refuse(place, f"[points] {name}: a key is set twice")
        if not self.points:
            fail(f"{self.path}: the sweep has no points: give [grid] or [points]")

    def require_plot(self):
        """A picture that cannot be drawn is a mistake to be told before hours of training."""
        plot = self.plot
        for name in plot:
            if name not in ("x", "y", "value", "series"):
                self.refuse(("plot", name), f"[plot] does not know {name}: it {unknown(name, ['x', 'y', 'value', 'series'])}")
        if plot and ("x" not in plot or "value" not in plot or ("y" in plot and "series" in plot)):
            self.refuse("plot", "[plot] takes x, value, and series (lines) or y (heat map)")
        for name in ("x", "y", "series"):
            if name in plot and plot[name] not in self.keys:
                self.refuse(("plot", name), f"[plot] {name} = {plot[name]}: {unknown(plot[name], self.keys)}: the keys of the points")
        if plot and plot["value"] not in FIELDS:
            self.refuse(("plot", "value"), f"[plot] value = {plot['value']}: {unknown(plot['value'], FIELDS)}: the fields of summary.json")
