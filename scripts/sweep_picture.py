"""The picture of a sweep as SVG, without any library: lines, or a heat map of two keys."""
import math
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 90, 190, 50, 70
COLORS = ["#1f77b4", "#d9661f", "#2e8b57", "#b5328f", "#7a6a00", "#6b5bd2", "#00838f", "#a23b3b"]


def as_number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def short(value):
    return f"{value:.4g}"


def text(x, y, content, anchor="middle", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(str(content))}</text>'


def page(parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


def ordered(values):
    """Distinct values in the order of their numbers, or of appearance where they are words."""
    distinct = list(dict.fromkeys(values))
    return sorted(distinct, key=float) if all(as_number(value) is not None for value in distinct) else distinct


def frame(title, x_name, y_name, left=LEFT):
    middle = (left + WIDTH - RIGHT) / 2
    return [text(middle, 28, title, extra='font-size="15"'), text(middle, HEIGHT - 18, x_name),
            text(0, 0, y_name, extra=f'transform="translate(20,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"')]


def nice_ticks(low, high):
    """Round values from below `low` to above `high`."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * number, 12) for number in range(first, last + 1)]


def averaged(rows, keys, value_key):
    """One row for each choice of `keys`: where other keys vary as well, the mean over them."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row.get(key, "") for key in keys), []).append(float(row[value_key]))
    means = [{**dict(zip(keys, choice)), value_key: sum(values) / len(values)} for choice, values in found.items()]
    most = max(len(values) for values in found.values())
    return means, value_key if most == 1 else f"{value_key}, mean of up to {most} points"


def lines(rows, x_key, value_key, series_key):
    rows, title = averaged(rows, [x_key, series_key] if series_key else [x_key], value_key)
    xs = ordered([row[x_key] for row in rows])
    values = [float(row[value_key]) for row in rows]
    low, high = min(values), max(values)
    spread = (high - low) or abs(high) or 1.0
    ticks = nice_ticks(low - 0.02 * spread, high + 0.02 * spread)
    low, high = ticks[0], ticks[-1]
    at_x = {x: LEFT + 20 + (WIDTH - LEFT - RIGHT - 40) * i / max(len(xs) - 1, 1) for i, x in enumerate(xs)}
    at_y = lambda value: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)
    parts = frame(title, x_key, value_key)
    for value in ticks:
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at_y(value):.1f}" y2="{at_y(value):.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, at_y(value) + 4, short(value), "end"))
    parts += [text(at_x[x], HEIGHT - BOTTOM + 18, x) for x in xs]
    names = ordered([row.get(series_key, "") for row in rows]) if series_key else [None]
    for number, name in enumerate(names):
        color = COLORS[number % len(COLORS)]
        chosen = [row for row in rows if name is None or row.get(series_key, "") == name]
        dots = sorted((at_x[row[x_key]], at_y(float(row[value_key]))) for row in chosen)
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>' for x, y in dots]
        if name is not None:
            y = TOP + 10 + 20 * number
            parts.append(f'<rect x="{WIDTH - RIGHT + 15}" y="{y - 9}" width="10" height="10" fill="{color}"/>')
            parts.append(text(WIDTH - RIGHT + 31, y, f"{series_key.split('.')[-1]} {name}", "start"))
    return page(parts)


def shade(share):
    """From light to dark, so that more looks like more in print and to every eye; and an ink that shows on it."""
    return f"hsl(215,60%,{92 - 66 * share:.0f}%)", "black" if share < 0.5 else "white"


def color_bar(low, high):
    steps, x, height = 20, WIDTH - RIGHT + 25, (HEIGHT - TOP - BOTTOM) / 20
    parts = [f'<rect x="{x}" y="{HEIGHT - BOTTOM - height * (i + 1):.1f}" width="14" height="{height + 0.5:.1f}" '
             f'fill="{shade(i / (steps - 1))[0]}"/>' for i in range(steps)]
    return parts + [text(x + 20, HEIGHT - BOTTOM, short(low), "start"), text(x + 20, TOP + 10, short(high), "start")]


def heat_map(rows, x_key, y_key, value_key):
    rows, title = averaged(rows, [x_key, y_key], value_key)
    xs, ys = ordered([row[x_key] for row in rows]), ordered([row[y_key] for row in rows])
    values = {(row[x_key], row[y_key]): float(row[value_key]) for row in rows}
    low, high = min(values.values()), max(values.values())
    left = max(LEFT, 40 + 7 * max(len(str(y)) for y in ys))  # room for the longest name
    cell_w, cell_h = (WIDTH - left - RIGHT) / len(xs), (HEIGHT - TOP - BOTTOM) / len(ys)
    parts = frame(title, x_key, y_key, left) + color_bar(low, high)
    size = max(6.0, min(12.0, cell_w / 4, 0.8 * cell_h))
    for (x, y), value in values.items():
        color, ink = shade((value - low) / ((high - low) or 1.0))
        across, top = left + cell_w * xs.index(x), HEIGHT - BOTTOM - cell_h * (ys.index(y) + 1)
        parts.append(f'<rect x="{across:.1f}" y="{top:.1f}" width="{cell_w:.1f}" height="{cell_h:.1f}" fill="{color}" stroke="white"/>')
        parts.append(text(across + cell_w / 2, top + cell_h / 2 + 4, short(value), extra=f'fill="{ink}" font-size="{size:.0f}"'))
    parts += [text(left + cell_w * (i + 0.5), HEIGHT - BOTTOM - cell_h * (j + 0.5) + 4, "none", extra='fill="#888"')
              for i, x in enumerate(xs) for j, y in enumerate(ys) if (x, y) not in values]
    parts += [text(left + cell_w * (i + 0.5), HEIGHT - BOTTOM + 18, x) for i, x in enumerate(xs)]
    parts += [text(left - 8, HEIGHT - BOTTOM - cell_h * (i + 0.5) + 4, y, "end") for i, y in enumerate(ys)]
    return page(parts)


def picture(rows, plot):
    """rows: dictionaries with swept keys and measured fields; plot: x, value and series or y."""
    needed = [plot[name] for name in ("x", "value", "y") if name in plot]
    shown = [row for row in rows if all(key in row for key in needed) and as_number(row[plot["value"]]) is not None]
    if not shown:
        return page([text(WIDTH / 2, HEIGHT / 2, "no finished point has " + ", ".join(needed))])
    if "y" in plot:
        return heat_map(shown, plot["x"], plot["y"], plot["value"])
    return lines(shown, plot["x"], plot["value"], plot.get("series"))
