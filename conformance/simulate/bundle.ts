import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type PluginBuild } from 'esbuild';

/**
 * The program of a killable hub as one file, which starts in a third of the time that its sources
 * take: a long run starts hundreds. It lies where the packages that it imports are found.
 */
export interface Bundle {
  readonly path: string;
  remove(): Promise<void>;
}

const CACHE = new URL('../../node_modules/.cache/', import.meta.url);

export async function bundle(): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(fileURLToPath(CACHE), 'simulate-'));
  const path = join(folder, 'child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    target: 'node20',
    plugins: [{ name: 'own-address', setup: keepAddresses }],
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Files find what lies beside them by their own address, which must stay that of the source. */
function keepAddresses(plugin: PluginBuild): void {
  plugin.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
    const source = await readFile(path, 'utf8');
    const address = JSON.stringify(pathToFileURL(path).href);
    const loader = path.endsWith('.ts') ? 'ts' : 'js';
    return { contents: source.replaceAll('import.meta.url', address), loader };
  });
}
