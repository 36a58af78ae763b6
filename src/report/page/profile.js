// The page of `spillway profile`: memory per tile, liveness, cycles, trace, costliest programs.
"use strict";

const { profile, title } = JSON.parse(document.getElementById("data").textContent);
const { target, tiles, programs, execution, livenessSteps, computeSets, vertexTypes, variables, machine } = profile;
const sum = (values) => values.reduce((a, b) => a + b, 0);
const seconds = (cycles) => cycles / target.clockHz;
const time = (cycles) => (seconds(cycles) < 1e-3 ? `${number(1e6 * seconds(cycles), 3)} µs` : `${number(1e3 * seconds(cycles), 4)} ms`);
const totalCycles = sum(Object.values(execution.cycles));
const kinds = { OnTileExecute: "compute", DoExchange: "exchange", GlobalExchange: "globalExchange", Sync: "sync", StreamCopy: "stream", RemoteCopy: "remote" };
const kindColors = { compute: "#d1495b", exchange: "#2e86ab", sync: "#e0a030", globalExchange: "#6b5bd2", stream: "#2e8b57", remote: "#7a6a00" };

function section(heading, note, ...content) {
  document.body.append(element("h2", {}, heading));
  if (note) document.body.append(element("p", {}, note));
  document.body.append(...content);
}

function tileTotals() {
  return tiles.map((tile) => sum(Object.values(tile.alwaysLive)) + sum(Object.values(tile.atPeak)));
}

function overview() {
  const totals = tileTotals();
  const largest = totals.reduce((best, bytes, tile) => (bytes > totals[best] ? tile : best), 0);
  const over = totals.filter((bytes) => bytes > target.bytesPerTile).length;
  const replicas = target.numReplicas > 1 ? `${target.numReplicas} replicas, each: ` : "";
  const facts = [
    ["machine", `${replicas}${target.type} ${target.architecture}, ${target.numIpus} × ${target.tilesPerIpu} tiles, ${number(target.clockHz / 1e9)} GHz`],
    ["largest tile", `${bytes(totals[largest])} of ${bytes(target.bytesPerTile)} (tile ${largest})` + (over ? `; ${over} tiles are over the limit` : "")],
    ["mean tile", bytes(sum(totals) / totals.length)],
    ["executed", execution.recorded ? `${totalCycles.toLocaleString("en")} cycles, ${time(totalCycles)} modelled` : "nothing was executed"],
    ["graph", `${profile.graph.numVertices.toLocaleString("en")} vertices, ${profile.graph.numEdges.toLocaleString("en")} edges, ${profile.graph.numComputeSets} compute sets`],
    ["vertices without estimate", `${execution.unknownVertexExecutions.toLocaleString("en")} executions, not in the cycles`],
  ];
  return table(["", ""], facts);
}

function memoryChart() {
  const names = [...new Set(tiles.flatMap((tile) => [...Object.keys(tile.alwaysLive), ...Object.keys(tile.atPeak)]))];
  const of = (name) => tiles.map((tile) => (tile.alwaysLive[name] ?? 0) + (tile.atPeak[name] ?? 0));
  const ranked = names.map((name) => ({ name, values: of(name) })).sort((a, b) => sum(b.values) - sum(a.values));
  const charts = element("div", { class: "charts" });
  section("Memory per tile", "Always live and the tile's own peak of what is not, by category of libpva.", charts);
  const line = (label, values, color, dash) => ({ label, color, dash, points: values.map((value, tile) => [tile, value]) });
  lineChart(charts, {
    title: "Total", xLabel: "tile", wholeX: true, format: asBytes, fromZero: true, series: [
      line("total", tileTotals(), palette[0]),
      line("always live", tiles.map((tile) => sum(Object.values(tile.alwaysLive))), palette[2]),
      line("limit", tiles.map(() => target.bytesPerTile), css("--limit"), [6, 3])],
  });
  lineChart(charts, {
    title: "Categories", xLabel: "tile", wholeX: true, format: asBytes, fromZero: true,
    series: ranked.map(({ name, values }, i) => line(name, values, colorOf(i))),
  });
  const rows = ranked.map(({ name, values }) => [name, bytes(Math.max(...values)), bytes(sum(values) / values.length), bytes(sum(values))]);
  document.body.append(table(["category", "largest tile", "mean tile", "all tiles"], rows, [1, 2, 3]));
}

function livenessChart() {
  if (!livenessSteps.length) return;
  const charts = element("div", { class: "charts" });
  section("Liveness over program steps", "Bytes that are not always live, in the order of the program.", charts);
  const of = (field) => livenessSteps.map((step, i) => [i, step[field]]);
  lineChart(charts, { title: "All tiles", xLabel: "program step", wholeX: true, format: asBytes, fromZero: true, series: [{ label: "live", color: palette[0], points: of("bytes") }] });
  lineChart(charts, { title: "Busiest tile", xLabel: "program step", wholeX: true, format: asBytes, fromZero: true, series: [{ label: "live", color: palette[1], points: of("busiestTileBytes") }] });
}

function shares() {
  if (!totalCycles) return;
  const bar = element("div", { class: "bar" });
  const rows = [];
  for (const [kind, cycles] of Object.entries(execution.cycles)) {
    if (!cycles) continue;
    const share = (100 * cycles) / totalCycles;
    bar.append(element("div", { style: `width:${share}%;background:${kindColors[kind]}`, title: `${kind}: ${share.toFixed(1)} %` }));
    const named = element("span", {}, element("span", { class: "swatch", style: `background:${kindColors[kind]}` }), kind);
    rows.push([named, cycles.toLocaleString("en"), time(cycles), `${share.toFixed(1)} %`]);
  }
  section("Where the cycles go", "", bar, table(["what", "cycles", "time", "share"], rows, [1, 2, 3]));
}

// One lane per kind of step; wheel zooms, drag moves, the pointer tells the step.
function trace() {
  const steps = execution.steps;
  if (!steps.length) return;
  const used = new Set(steps.map(([program]) => kinds[programs[program].type] ?? "compute"));
  const lanes = Object.keys(kindColors).filter((kind) => used.has(kind));
  const axisHeight = 22;
  const canvas = element("canvas", { id: "trace", style: `width:100%;height:${28 * lanes.length + axisHeight + 12}px` });
  const tip = element("p", { id: "tip" }, "Wheel zooms, drag moves.");
  section("Execution trace", execution.stepsDropped ? `The first ${steps.length.toLocaleString("en")} steps; ${execution.stepsDropped.toLocaleString("en")} more are in the sums only.` : "", canvas, tip);
  const end = steps.at(-1)[1] + steps.at(-1)[2];
  let from = 0, to = end;
  const draw = () => {
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    const paint = canvas.getContext("2d");
    const below = axisHeight * devicePixelRatio, bottom = canvas.height - below;
    const lane = bottom / lanes.length, left = 110 * devicePixelRatio, scale = (canvas.width - left) / (to - from);
    paint.font = `${12 * devicePixelRatio}px system-ui`;
    lanes.forEach((kind, i) => {
      paint.fillStyle = css("--soft");
      paint.fillText(kind, 0, lane * (i + 0.65));
      paint.fillStyle = css("--line");
      paint.fillRect(left, lane * (i + 1) - 1, canvas.width - left, 1);
    });
    paint.textAlign = "right";
    for (let tick = 0; tick <= 6; tick += 1) {
      const x = left + ((canvas.width - left) * tick) / 6;
      paint.fillStyle = css("--line");
      paint.fillRect(x - 1, 0, 1, bottom + 4);
      paint.fillStyle = css("--soft");
      if (tick) paint.fillText(time(from + ((to - from) * tick) / 6), x, canvas.height - 0.25 * below);
    }
    paint.textAlign = "left";
    for (const [program, begin, cycles] of steps) {
      if (begin + cycles < from || begin > to) continue;
      const kind = kinds[programs[program].type] ?? "compute", x = Math.max(left, left + (begin - from) * scale);
      paint.fillStyle = kindColors[kind];
      paint.fillRect(x, lane * lanes.indexOf(kind) + 3, Math.max(1, left + (begin + cycles - from) * scale - x), lane - 6);
    }
  };
  const cycleAt = (event) => from + ((event.offsetX - 110) / (canvas.clientWidth - 110)) * (to - from);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = cycleAt(event), factor = event.deltaY < 0 ? 0.7 : 1 / 0.7;
    from = Math.max(0, at - (at - from) * factor);
    to = Math.min(end, at + (to - at) * factor);
    draw();
  }, { passive: false });
  canvas.addEventListener("mousemove", (event) => {
    if (event.buttons) {
      const shift = Math.max(-from, Math.min(end - to, (-event.movementX / (canvas.clientWidth - 110)) * (to - from)));
      from += shift; to += shift;
      draw();
      return;
    }
    const at = cycleAt(event), step = steps.find(([, begin, cycles]) => begin <= at && at < begin + cycles);
    if (step) tip.textContent = `${programs[step[0]].type} ${programs[step[0]].name}: ${step[2].toLocaleString("en")} cycles from ${step[1].toLocaleString("en")}`;
  });
  draw();
  window.addEventListener("resize", draw);
}

function costliest() {
  const ranked = execution.programs.map(({ executions, cycles }, i) => ({ executions, cycles, program: programs[i] })).filter((entry) => entry.cycles > 0).sort((a, b) => b.cycles - a.cycles);
  const made = (program) => (program.computeSet < 0 ? program.type : computeSets[program.computeSet].vertices
    .map(([type, instances]) => `${instances.toLocaleString("en")} × ${vertexTypes[type].name}`).join(", ") || program.type);
  const headings = (what) => ["name", what, "executions", "cycles each", "cycles", "share"];
  const row = ({ executions, cycles, program }) => [
    program.name || "–", made(program), executions.toLocaleString("en"), Math.round(cycles / executions).toLocaleString("en"),
    cycles.toLocaleString("en"), `${((100 * cycles) / totalCycles).toFixed(1)} %`];
  const computing = ranked.filter(({ program }) => program.computeSet >= 0).slice(0, 15);
  const moving = ranked.filter(({ program }) => program.computeSet < 0).slice(0, 15);
  if (computing.length) section("Costliest compute sets", "", table(headings("vertices"), computing.map(row), [2, 3, 4, 5]));
  if (moving.length) section("Costliest exchanges, copies and syncs", "", table([...headings("type"), "bytes moved"],
    moving.map((entry) => [...row(entry), entry.program.bytes ? bytes(entry.program.bytes) : "–"]), [2, 3, 4, 5, 6]));
}

function balance() {
  const busy = new Map();
  computeSets.forEach((set, i) => {
    const executions = sum(programs.map((program, p) => (program.computeSet === i ? execution.programs[p]?.executions ?? 0 : 0)));
    const measured = set.measuredCycles.length > 0;
    for (const [tile, cycles] of measured ? set.measuredCycles : set.estimatedCycles) busy.set(tile, (busy.get(tile) ?? 0) + (measured ? cycles : cycles * executions));
  });
  if (!busy.size) return;
  const charts = element("div", { class: "charts" });
  section("Tile balance", `${(100 * execution.tileBalance).toFixed(1)} % of the tiles' cycles in compute sets are spent computing, the rest waiting for the slowest tile.`, charts);
  lineChart(charts, { title: "Compute cycles per tile", xLabel: "tile", wholeX: true, format: asCount, fromZero: true, series: [{ label: "cycles", color: kindColors.compute, points: tiles.map((_, tile) => [tile, busy.get(tile) ?? 0]) }] });
}

function lists() {
  const largest = variables.filter((variable) => variable.bytes > 0).sort((a, b) => b.bytes - a.bytes).slice(0, 20);
  section("Largest variables", "", table(["name", "bytes", ""], largest.map((v) => [v.name || "–", bytes(v.bytes), v.alwaysLive ? "always live" : ""]), [1]));
  const types = [...vertexTypes].sort((a, b) => b.instances - a.instances);
  section("Vertices", "", table(["type", "kind", "instances", "code on a tile"], types.map((t) => [t.name, t.kind, t.instances.toLocaleString("en"), bytes(t.codeBytes)]), [2, 3]));
  section("Machine parameters", "What the model assumes, and where it is from.",
    table(["parameter", "value", "unit", "source", "confidence"], machine.map((p) => [p.name, number(p.value, 6), p.unit, p.source, p.confidence]), [1]));
}

document.body.append(element("h1", {}, title), element("p", {}, "Modelled by the IPU Model, not measured on hardware." + (target.numReplicas > 1 ? " All figures are of one replica." : "")), overview());
memoryChart();
livenessChart();
shares();
trace();
balance();
costliest();
lists();
