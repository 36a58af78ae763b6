// The page of `spillway report`: tables and curves of one or several runs.
"use strict";

const runs = JSON.parse(document.getElementById("data").textContent).runs;
const color = colorOf;
const dashes = [undefined, [6, 3], [2, 3], [10, 3, 2, 3]];
const several = runs.length > 1;
const xAxes = {
  update: { label: "update", whole: true, of: (record) => record.update },
  epoch: { label: "epoch", of: (record, run) => (record.update * run.epochs) / run.updates },
  seconds: { label: "seconds trained", of: (record) => record.seconds },
};

function named(run, index) {
  const name = element("span", {});
  name.append(element("span", { class: "swatch", style: `background:${color(index)}` }), run.name);
  return name;
}

function runTable() {
  const rows = runs.map((run, i) => [
    named(run, i), run.record.device ?? "–", run.state, String(run.lastUpdate),
    percent(run.test?.accuracy), percent(run.bestTestAccuracy), number(run.test?.loss),
    number(run.secondsPerUpdate), bytes(run.peakMemoryBytes), String(run.record.seed ?? "–"), run.record.revision ?? "–",
  ]);
  return table(["run", "device", "state", "updates", "test accuracy", "best", "test loss", "s/update",
    "peak memory", "seed", "revision"], rows, [3, 4, 5, 6, 7, 8]);
}

function differences() {
  const keys = [...new Set(runs.flatMap((run) => Object.keys(run.config)))];
  const rows = keys.filter((key) => new Set(runs.map((run) => run.config[key])).size > 1)
    .map((key) => [key, ...runs.map((run) => run.config[key] ?? "–")]);
  return rows.length ? table(["key", ...runs.map((run) => run.name)], rows) : element("p", {}, "none");
}

function curves(kind, value, x, suffix, dash) {
  return runs.map((run, i) => ({
    label: several ? `${run.name} ${suffix}` : suffix,
    color: several ? color(i) : colorOf(dash),
    dash: several ? dashes[dash % dashes.length] : undefined,
    points: run.records.filter((record) => record.kind === kind).map((record) => [x.of(record, run), value(record)]),
  }));
}

function layerCurves(kind, field, x) {
  const layers = Math.max(...runs.map((run) => run.records[0]?.layers.length ?? 0));
  return [...Array(layers).keys()].flatMap((l) => curves(kind, (record) => record.layers[l]?.[field], x, `layer ${l}`, l));
}

function draw() {
  const x = xAxes[document.getElementById("axis").value];
  const log = document.getElementById("scale").value === "log";
  const charts = document.getElementById("charts");
  charts.replaceChildren();
  const chart = (title, series, more = {}) =>
    lineChart(charts, { title, xLabel: x.label, wholeX: x.whole, series, sync: "report", ...more });
  const evaluated = (value) => [...curves("validation", value, x, "validation", 2), ...curves("test", value, x, "test", 1)];
  chart("Loss", [...curves("train", (r) => r.loss, x, "train", 0), ...evaluated((r) => r.loss)], { log });
  chart("Accuracy", [...curves("epoch", (r) => r.accuracy, x, "train", 0), ...evaluated((r) => r.accuracy)],
    { format: asPercent });
  chart("Perplexity", evaluated((r) => r.perplexity), { log });
  chart("Firing rate, spikes per neuron and step", layerCurves("train", "rate", x), { format: asPercent, fromZero: true });
  chart("Neuron steps that received a gradient", layerCurves("train", "gradientShare", x), { format: asPercent, fromZero: true });
  chart("Spikes dropped over the cap, since the last record", layerCurves("train", "dropped", x), { format: asCount, fromZero: true });
  chart("Learning rate", curves("train", (r) => r.learningRate, x, "rate", 0), { fromZero: true });
  chart("Samples per second", curves("train", (r) => r.samplesPerSecond, x, "speed", 0), { format: asCount, fromZero: true });
  chart("Peak resident memory", curves("train", (r) => r.peakMemoryBytes, x, "memory", 0), { format: asBytes });
  if (!charts.childElementCount) charts.append(element("p", {}, "No records yet: a run writes one every train.logEvery updates."));
}

function choice(id, label, options) {
  const select = element("select", { id }, ...options.map((option) => element("option", { value: option }, option)));
  select.addEventListener("change", draw);
  return element("label", {}, `${label} `, select);
}

document.body.append(
  element("h1", {}, several ? `Spillway: ${runs.length} runs` : `Spillway: ${runs[0].name}`),
  element("p", {}, "Drag to zoom, double-click to reset, click a legend entry to hide or show a curve."),
  runTable(),
);
if (several) document.body.append(element("h2", {}, "Keys that differ"), differences());
document.body.append(
  element("div", { class: "controls" }, choice("axis", "x axis", Object.keys(xAxes)), choice("scale", "loss", ["linear", "log"])),
  element("div", { class: "charts", id: "charts" }),
);
draw();
