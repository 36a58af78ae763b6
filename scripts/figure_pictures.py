"""The pictures of scripts/figures, as SVG and PNG, with Matplotlib where there is one."""
import csv
import os
import subprocess
import sys
import textwrap

LIMIT_KIB = 624
UNITS = {"time_ms": "modelled ms per batch", "max_kib": "KiB on the largest tile",
         "mean_kib": "KiB on the mean tile"}
MARKS = "osD^vP*Xh<"


def pyplot():
    try:
        import matplotlib
    except ImportError:  # Debian's package belongs to Debian's Python
        system = "/usr/bin/python3"
        if sys.executable != system and subprocess.run([system, "-c", "import matplotlib"],
                                                       capture_output=True).returncode == 0:
            os.execv(system, [system] + sys.argv)
        return None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "spillway"  # the same picture, byte for byte, every time
    import matplotlib.pyplot
    return matplotlib.pyplot


def save(plot, figure, folder, name):
    figure.tight_layout()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=120)
    plot.close(figure)


def draw(figure, rows, folder):
    plot = pyplot()
    if plot is None:
        return
    canvas, axes = plot.subplots(figsize=(7.5, 4.6))
    y = figure["y"]
    palette = plot.rcParams["axes.prop_cycle"].by_key()["color"]
    colours = {}
    for index, (name, _, kind) in enumerate(figure["series"]):
        mine = [row for row in rows if row["series"] == name]
        # Ours has the colour of what it is compared with; lines that lie on one another differ in their marks.
        same = next((other for other in colours if kind == "ours" and name.startswith(other.split(",")[0])), None)
        colours[name] = colours[same] if same else palette[len(set(colours.values())) % len(palette)]
        xs = [float(row["x"]) for row in mine]
        style = {"color": colours[name], "marker": MARKS[index % len(MARKS)], "markersize": 4.5}
        axes.plot(xs, [row[y] for row in mine], "--" if kind == "ours" else "-", label=name, linewidth=1.3, **style)
        missed = [row for row in mine if not row["fits"]]
        axes.plot([float(row["x"]) for row in missed], [row[y] for row in missed], linestyle="",
                  markerfacecolor="white", zorder=3, **style)
    values = [row[y] for row in rows]
    if y == "time_ms" and max(values) > 8 * min(values):
        axes.set_yscale("log")
    if y != "time_ms":
        axes.axhline(LIMIT_KIB, color="black", linewidth=0.8, linestyle=":")
        axes.set_ylim(0, min(axes.get_ylim()[1], 3 * LIMIT_KIB))
    if figure.get("x_log") == "yes":
        axes.set_xscale("log", base=2)
        axes.set_xticks([float(x) for x in figure["xs"]], figure["xs"])
        axes.minorticks_off()
    axes.set_xlabel(figure["x_name"])
    axes.set_ylabel(UNITS[y])
    axes.set_title(textwrap.fill(figure["title"], 80) + "\nhollow: does not fit 624 KiB; dashed: our layout", fontsize=9)
    axes.legend(fontsize=7, framealpha=0.7)
    axes.grid(alpha=0.3)
    save(plot, canvas, folder, figure["name"])


def draw_light_steps(rows, folder):
    plot = pyplot()
    if plot is None:
        return
    canvas, axes = plot.subplots(figsize=(6, 4))
    for kind in ("paper", "ours"):
        mine = [row for row in rows if row["kind"] == kind]
        axes.plot([row["activity"] for row in mine], [row["ratio"] for row in mine],
                  "-o" if kind == "paper" else "--o", label={"paper": "the paper's programs", "ours": "ours"}[kind])
    axes.axhspan(0.1, 0.3, color="grey", alpha=0.2, label="the paper: 10 to 30 %")
    axes.set_xlabel("lists filled to this share of their caps")
    axes.set_ylabel("light step / full forward step")
    axes.set_ylim(0, 1)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    save(plot, canvas, folder, "light-step")


def draw_winners(folder, name):
    plot = pyplot()
    if plot is None:
        return
    with open(folder / f"{name}.csv") as file:
        cells = list(csv.DictReader(file))
    names = list(dict.fromkeys(cell["strategy"] for cell in cells))
    slots, lights, transfers = (list(dict.fromkeys(cell[key] for cell in cells)) for key in
                                ("slots", "light_over_forward", "transfer_over_forward"))
    colours = plot.get_cmap("Pastel1")
    canvas, panels = plot.subplots(2, 3, figsize=(12, 6.4))
    for panel, number in zip(panels.flat, slots):
        for cell in (cell for cell in cells if cell["slots"] == number):
            x, y = transfers.index(cell["transfer_over_forward"]), lights.index(cell["light_over_forward"])
            panel.add_patch(plot.Rectangle((x, y), 1, 1, color=colours(names.index(cell["strategy"]))))
            over = 100 * (float(cell["time_over_base"]) - 1)
            panel.text(x + 0.5, y + 0.5, f"{over:.1f}", ha="center", va="center", fontsize=7)
        panel.set_xlim(0, len(transfers))
        panel.set_ylim(0, len(lights))
        panel.set_xticks([i + 0.5 for i in range(len(transfers))], transfers)
        panel.set_yticks([i + 0.5 for i in range(len(lights))], lights)
        panel.set_title(f"{number} slots", fontsize=9)
        panel.set_xlabel("one transfer / f", fontsize=8)
        panel.set_ylabel("r / f", fontsize=8)
    canvas.legend(handles=[plot.Rectangle((0, 0), 1, 1, color=colours(i), label=label) for i, label in enumerate(names)],
                  loc="lower center", ncol=len(names), fontsize=8)
    canvas.suptitle("Fastest strategy, T = 4,096, b = 2 f; percent over T(f+b)", fontsize=10)
    canvas.tight_layout(rect=(0, 0.04, 1, 1))
    canvas.savefig(folder / f"{name}.png", dpi=110)
    plot.close(canvas)
