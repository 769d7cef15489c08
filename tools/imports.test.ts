import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { circlesIn, groupedGraph, importGraph } from './imports.ts';
import { areaOf, structurePage, STRUCTURE_PAGE } from './structure.ts';
import { sources, tracked } from './tree.ts';

/** Who may import whom (ARCHITECTURE.md, laws). There is no list of exceptions. */
const files = sources.filter((path) => !path.endsWith('.test.ts'));
const graph = importGraph(files);

/** Each place and the folders that it may reach; the longest prefix of a file decides. */
const MAY_IMPORT: Readonly<Record<string, RegExp>> = {
  // The price of an operation is written in the contract and nowhere else.
  'domain/': /^domain\/|^generated\/(charges|meanings)\.ts$/,
  'db/': /^(db|domain)\//,
  'workflows/kernel/': /^(workflows\/kernel|db|domain|generated)\//,
  'workflows/': /^(workflows|db|domain|generated)\//,
  'handlers/': /^(handlers|workflows|db|domain|generated)\//,
  'server/': /^(server|workflows\/kernel|db|domain|generated)\/|^(handlers|workflows)\/index\.ts$/,
  // The process starts the scripted agents of the sandbox, which know it by its address alone.
  'server/main.ts': /^(server|workflows\/kernel|clients\/sandbox)\//,
  // It recognises the agents' commands and refers to their program.
  'server/cli.ts': /^(server|workflows\/kernel|domain|db|generated)\/|^clients\/typescript\/cli\//,
  'server/commands/':
    /^(server|workflows\/kernel|domain|db|generated|clients)\/|^workflows\/index\.ts$/,
  'clients/':
    /^(clients|generated)\/|^domain\/(httpsig\/|log\/(note|receipts)\.ts$|(json|lines|closest|defined)\.ts$)/,
  // A second opinion that shared code with what it judges would share its mistakes.
  'conformance/kinds/simulate/':
    /^conformance\/(kinds\/simulate|harness)\/|^conformance\/ledger\/auditor\.ts$|^clients\//,
  'conformance/kinds/simulate/model/': /^conformance\/kinds\/simulate\/model\//,
  'generated/': /^(generated\/|workflows\/kernel\/operation\.ts$)/,
};

describe('imports', () => {
  it('point downwards only', () => {
    const upwards = [...graph].flatMap(([path, targets]) => {
      const law = lawOf(path);
      if (law === undefined) return [];
      return targets
        .filter((target) => !law.test(target))
        .map((target) => `${path} imports ${target}`);
    });
    assert.deepEqual(upwards, []);
  });

  it('lead to a file, also those of programs that the compiler does not read', () => {
    const programs = tracked.filter((path) => /\.[cm]js$/.test(path));
    const built = (path: string): string => path.replace(/^dist\/(.+)\.js$/, '$1.ts');
    const missing = [...importGraph(programs)].flatMap(([path, targets]) =>
      targets
        .filter((target) => !target.includes('${'))
        .filter((target) => !existsSync(target) && !existsSync(built(target)))
        .map((target) => `${path} imports ${target}`),
    );
    assert.ok(programs.length > 50, 'the programs were found');
    assert.deepEqual(missing, []);
  });

  it('lead from conformance to tools and never back, tests and programs included', () => {
    const own = tracked.filter((path) => /^tools\/.+\.[mc]?[jt]s$/.test(path));
    const back = [...importGraph(own)].flatMap(([path, targets]) =>
      targets
        .filter((target) => target.startsWith('conformance/'))
        .map((target) => `${path} imports ${target}`),
    );
    assert.ok(own.length > 100, 'the tools were found');
    assert.deepEqual(back, []);
  });

  it('form no circle between files', () => {
    assert.deepEqual(circlesIn(graph), []);
  });

  it('form no circle between the areas of workflows', () => {
    const areas = groupedGraph(graph, areaOf);
    assert.ok(areas.size > 8, 'the areas were found');
    assert.deepEqual(circlesIn(areas), []);
  });

  it('take no operation for a library, and of another area only how it presents', () => {
    const shared = /^handlers\/[^/]+\.ts$|\/(present\.ts|(present|content)\/.+)$/;
    const wrong = [...graph].flatMap(([path, targets]) =>
      path.startsWith('handlers/') && !path.endsWith('/index.ts')
        ? targets
            .filter((target) => target.startsWith('handlers/') && !shared.test(target))
            .map((target) => `${path} imports ${target}`)
        : [],
    );
    assert.deepEqual(wrong, []);
  });

  it('are drawn in docs/structure.md as they are', () => {
    assert.equal(
      readFileSync(STRUCTURE_PAGE, 'utf8'),
      structurePage(graph),
      'run `npm run structure` and commit the page',
    );
  });
});

function lawOf(path: string): RegExp | undefined {
  const prefixes = Object.keys(MAY_IMPORT).filter((prefix) => path.startsWith(prefix));
  const longest = prefixes.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : MAY_IMPORT[longest];
}
