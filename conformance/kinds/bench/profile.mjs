// `npm run profile -- PART` runs a part of the bench with the profiler of V8 in each server that it
// starts. It prints the ten dearest functions and files of the server, and writes a flame graph
// (an SVG beside the .cpuprofile, which DevTools and Speedscope open) into dist/profiles.
// Statements of a request are not measured here: they are budgets in
// conformance/pipeline/statements.test.ts, and HUB_TRACE_BATCH=1 prints them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const IDLE = new Set(['(idle)', '(program)', '(root)']);
/** A flame graph, in pixels: its width, the height of a box, the least width of one. */
const [WIDTH, HEIGHT, LEAST] = [1400, 16, 1.5];
const [part = 'payPostgres'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'hub-profile-'));
const out = fileURLToPath(new URL('../../../dist/profiles/', import.meta.url));
mkdirSync(out, { recursive: true });
execFileSync('node', [fileURLToPath(new URL('run.mjs', import.meta.url)), part], {
  stdio: 'inherit',
  env: { ...process.env, BENCH_PROFILES: folder },
});

const profiles = readdirSync(folder).map((file) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
);
if (profiles.length === 0) throw new Error(`${part} started no server that could be profiled`);
profiles.forEach((profile, n) => {
  const name = `${part}${n === 0 ? '' : `.${n + 1}`}`;
  writeFileSync(join(out, `${name}.cpuprofile`), JSON.stringify(profile));
  const times = selfTimes(profile);
  const tree = treeOf(profile, times);
  writeFileSync(join(out, `${name}.svg`), flames(tree));
  console.log(`\n${join('dist/profiles', name)}: ${(tree.total / 1e3).toFixed(0)} ms of processor`);
  for (const [title, key] of [
    ['dearest functions', nameOf],
    ['dearest files', (frame) => placeOf(frame).replace(/:\d+$/, '') || frame.functionName],
  ])
    console.log(`${title}\n${dearest(profile, times, tree.total, key)}`);
});

/** A function with its place. */
function nameOf(frame) {
  return `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`;
}

/** A function's file and line, without the folders above the project. */
function placeOf({ url, lineNumber }) {
  const file = url
    .replace(/^file:\/\//, '')
    .replace(/^.*?\/(node_modules|dist|tools|server)\//, '$1/');
  return file === '' ? '' : `${file}:${lineNumber + 1}`;
}

/** Microseconds that each node was at the top of the stack. */
function selfTimes({ samples, timeDeltas }) {
  const times = new Map();
  samples.forEach((id, n) => times.set(id, (times.get(id) ?? 0) + timeDeltas[n]));
  return times;
}

function dearest(profile, times, total, keyOf) {
  const sums = new Map();
  for (const { id, callFrame } of profile.nodes) {
    if (IDLE.has(callFrame.functionName)) continue;
    const key = keyOf(callFrame);
    sums.set(key, (sums.get(key) ?? 0) + (times.get(id) ?? 0));
  }
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([key, time]) => `  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${key}`)
    .join('\n');
}

/** Functions below each other with their times, children of one name as one. */
function treeOf(profile, times) {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const merge = (nodes) => {
    const groups = new Map();
    for (const node of nodes) {
      if (IDLE.has(node.callFrame.functionName)) continue;
      const name = nameOf(node.callFrame);
      groups.set(name, [...(groups.get(name) ?? []), node]);
    }
    return [...groups].map(([name, same]) => {
      const below = same.flatMap(({ children = [] }) => children.map((id) => byId.get(id)));
      const self = same.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0);
      const children = merge(below);
      return { name, children, total: children.reduce((sum, { total }) => sum + total, self) };
    });
  };
  const root = profile.nodes.find(({ callFrame }) => callFrame.functionName === '(root)');
  const children = merge((root.children ?? []).map((id) => byId.get(id)));
  return { name: 'all', children, total: children.reduce((sum, { total }) => sum + total, 0) };
}

/** Boxes as wide as their time, each on what called it; a title shows the whole name. */
function flames(tree) {
  const boxes = [];
  let depth = 0;
  const draw = (node, x, level) => {
    const width = (WIDTH * node.total) / tree.total;
    if (width < LEAST) return;
    depth = Math.max(depth, level);
    const name = node.name.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const shown = width < 40 ? '' : name.slice(0, Math.floor(width / 6.5));
    const percent = ((100 * node.total) / tree.total).toFixed(1);
    boxes.push(
      `<g><title>${name} ${percent} %</title><rect x="${x.toFixed(1)}" y="${level * HEIGHT}" ` +
        `width="${width.toFixed(1)}" height="${HEIGHT - 1}" fill="hsl(${(level * 37) % 60},80%,65%)"/>` +
        `<text x="${(x + 2).toFixed(1)}" y="${level * HEIGHT + 11}">${shown}</text></g>`,
    );
    let at = x;
    for (const child of [...node.children].sort((a, b) => b.total - a.total)) {
      draw(child, at, level + 1);
      at += (WIDTH * child.total) / tree.total;
    }
  };
  draw(tree, 0, 0);
  const size = `width="${WIDTH}" height="${(depth + 1) * HEIGHT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11">${boxes.join('')}</svg>`;
}
