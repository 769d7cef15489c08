import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { groupedGraph, importGraph, type ImportGraph } from './imports.ts';
import { sources } from './tree.ts';

/** Draws docs/structure.md: the layers, and the areas of `workflows/`, with every arrow. */
export const STRUCTURE_PAGE = 'docs/structure.md';

const LAYERS = ['domain', 'db', 'workflows/kernel', 'workflows', 'handlers', 'server', 'clients'];

export function structurePage(graph: ImportGraph): string {
  const layers = groupedGraph(graph, layerOf);
  const areas = groupedGraph(graph, areaOf);
  return `# Structure

Drawn from the imports by \`npm run structure\`; a test compares it with the source. An arrow points
from what imports to what is imported.

## Layers

${picture(layers)}

## Areas of workflows

An area that is not in the picture imports no other.

${picture(areas)}
`;
}

/** The area of a file of workflows; the kernel, on which all of them stand, is none. */
export function areaOf(path: string): string | undefined {
  const area = /^workflows\/([^/]+)\//.exec(path)?.[1];
  return area === 'kernel' ? undefined : area;
}

function layerOf(path: string): string | undefined {
  return LAYERS.filter((layer) => path.startsWith(`${layer}/`)).sort(
    (a, b) => b.length - a.length,
  )[0];
}

function picture(graph: ImportGraph): string {
  const arrows = [...graph]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, targets]) => targets.map((to) => `  ${from} --> ${to}`));
  return ['```mermaid', 'flowchart TD', ...arrows, '```'].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(
    STRUCTURE_PAGE,
    structurePage(importGraph(sources.filter((p) => !p.endsWith('.test.ts')))),
  );
}
