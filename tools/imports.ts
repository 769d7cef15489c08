import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Every file with the files of this repository that it imports, types included. */
export function importGraph(paths: readonly string[]): ImportGraph {
  return new Map(paths.map((path) => [path, importsOf(path)]));
}

function importsOf(path: string): readonly string[] {
  const found = readFileSync(path, 'utf8').matchAll(
    /(?:^(?:import|export|\}).*from|import\() ?'(\.[^']+)'/gm,
  );
  const targets = [...found].map((match) => normalize(join(dirname(path), match[1] ?? '')));
  return [...new Set(targets)];
}

/** The same graph between groups of files; imports within a group are left out. */
export function groupedGraph(
  graph: ImportGraph,
  groupOf: (path: string) => string | undefined,
): ImportGraph {
  const grouped = new Map<string, Set<string>>();
  for (const [path, targets] of graph) {
    const from = groupOf(path);
    if (from === undefined) continue;
    const known = grouped.get(from) ?? new Set();
    grouped.set(from, known);
    for (const to of targets.map(groupOf)) if (to !== undefined && to !== from) known.add(to);
  }
  return new Map([...grouped].map(([from, to]) => [from, [...to].sort()]));
}

/** Each circle once, as the names along it; empty when there is none. */
export function circlesIn(graph: ImportGraph): readonly string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name);
    if (start >= 0) circles.push([...path.slice(start), name].join(' -> '));
    if (start >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) visit(name, []);
  return circles;
}
