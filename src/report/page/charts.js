// What every page draws with: colours, number formats, one line chart on uPlot.
"use strict";

const palette = ["#1f77b4", "#d9661f", "#2e8b57", "#b5328f", "#7a6a00", "#6b5bd2", "#00838f", "#a23b3b"];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3)) return value.toExponential(2);
  return String(Number(value.toPrecision(digits)));
}

function bytes(value, digits = 0) {
  if (value === null || value === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) { value /= 1024; unit += 1; }
  return `${digits ? number(value, digits) : value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

const percent = (value) => (value === null || value === undefined ? "–" : `${(100 * value).toFixed(2)} %`);

function count(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  const [scale, unit] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]].find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return number(value / scale, digits) + unit;
}

// So many that the next line of an axis, a step away, reads otherwise.
const digitsOn = (value, step) => (value === 0 || !(step > 0) ? 4 : Math.min(15, Math.max(4, 1 + Math.ceil(Math.log10(Math.abs(value) / step)))));

// What a chart's values are: as text, as text of an axis whose lines are a step apart, and how far they may lie apart.
const asNumber = { text: (value) => number(value), axis: (value, step) => number(value, digitsOn(value, step)) };
const asCount = { text: (value) => count(value), axis: (value, step) => count(value, digitsOn(value, step)) };
const asBytes = { text: (value) => bytes(value), axis: (value, step) => bytes(value, digitsOn(value, step)), steps: [...Array(50).keys()].map((power) => 2 ** power) };
const asPercent = { text: percent, axis: (value, step) => `${number(100 * value, digitsOn(value, step))} %`, most: 1 };

// Past the number of colours, curves still differ.
const colorOf = (index) => (index < palette.length ? palette[index] : `hsl(${Math.round(137.5 * index) % 360}, 60%, 45%)`);

function table(headings, rows, numeric = []) {
  const cell = (tag, content, i) => {
    const made = element(tag, numeric.includes(i) ? { class: "number" } : {});
    made.append(content);
    return made;
  };
  const head = element("tr", {}, ...headings.map((text, i) => cell("th", text, i)));
  const body = rows.map((row) => element("tr", {}, ...row.map((text, i) => cell("td", text, i))));
  return element("div", { class: "wide" }, element("table", {}, head, ...body));
}

// A dash pattern in the legend's words.
const borderOf = (dash) => (!dash ? "solid" : dash[0] < 4 ? "dotted" : "dashed");
const wholeSteps = [...Array(10).keys()].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

// series: [{label, color, dash, points: [[x, y], ...]}], each with x values of its own. fromZero: an axis that
// begins there, for what is more or less of something. wholeX: x counts things.
function lineChart(parent, { title, xLabel, series, format = asNumber, fromZero = false, wholeX = false, log = false, sync }) {
  const drawn = series.filter((line) => line.points.some(([, y]) => y !== null && y !== undefined));
  if (drawn.length === 0) return null;
  const box = element("div", { class: "chart" }, element("h3", {}, title));
  parent.append(box);
  const data = uPlot.join(drawn.map(({ points }) => {
    const sorted = points.filter(([, y]) => y !== null && y !== undefined && (!log || y > 0)).sort((a, b) => a[0] - b[0]);
    return [sorted.map(([x]) => x), sorted.map(([, y]) => y)];
  }));
  const axis = { stroke: css("--soft"), grid: { stroke: css("--line"), width: 1 }, ticks: { stroke: css("--line") } };
  const size = () => ({ width: box.clientWidth - 24, height: 260 });
  const range = (_, low, high) => {
    const free = uPlot.rangeNum(fromZero ? 0 : low, fromZero && !(high > 0) ? 1 : high, 0.05, true);
    const top = format.most !== undefined && high <= format.most ? Math.min(free[1], 1.02 * format.most) : free[1];
    return [fromZero ? 0 : free[0], top];
  };
  const plot = new uPlot({
    ...size(),
    cursor: { sync: { key: sync }, drag: { x: true, y: false } },
    legend: { markers: { dash: (_, i) => borderOf(drawn[i - 1]?.dash) } },
    scales: { x: { time: false }, y: log ? { distr: 3 } : { range } },
    axes: [
      { ...axis, label: xLabel, labelSize: 22, ...(wholeX ? { incrs: wholeSteps } : {}) },
      {
        ...axis,
        size: 70,
        ...(format.steps ? { incrs: format.steps } : {}),
        values: (_, ticks, axisIndex, space, step) => ticks.map((tick) => (tick === null ? "" : format.axis(tick, step))),
      },
    ],
    series: [
      { label: xLabel, value: (_, x) => number(x, 6) },
      ...drawn.map((line) => ({
        label: line.label,
        stroke: line.color,
        width: 1.5,
        dash: line.dash,
        spanGaps: true,
        points: { show: line.points.length < 40 && drawn.length <= 12 },
        value: (_, y) => format.text(y),
      })),
    ],
  }, data, box);
  window.addEventListener("resize", () => box.isConnected && plot.setSize(size())); // curves stay hidden or zoomed
  return plot;
}
