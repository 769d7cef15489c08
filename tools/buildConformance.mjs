// Builds the conformance suite into conformance/kinds/kit/dist: the tests of
// conformance/kinds/kit/files.ts, for a hub at an address. None of the hub's code may get in, since the suite is a black box.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { NODE_PROGRAM } from './bundle.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const kit = join(root, 'conformance/kinds/kit');
const dist = join(kit, 'dist');
const THE_HUBS_OWN = /^(?:server|db|workflows|handlers)\//;

const inPlaceOf = (path, contents) => ({
  name: path,
  setup({ onLoad }) {
    const filter = new RegExp(`conformance/${path.replaceAll('.', '\\.')}$`);
    onLoad({ filter }, () => ({ contents, loader: 'ts', resolveDir: kit }));
  },
});

/** Only what stands in the list is bundled, so the list is read as the program reads it. */
async function blackBox() {
  const entryPoints = [join(kit, 'files.ts')];
  const built = await esbuild.build({ entryPoints, bundle: true, format: 'esm', write: false });
  const code = Buffer.from(built.outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).BLACK_BOX;
}

const loaders = (files) => {
  const lines = files.map((path) => `  '${path}': () => import('../../${path}.test.ts'),\n`);
  return `export const loaders = {\n${lines.join('')}};\n`;
};

const DOCUMENT = `import { readFileSync } from 'node:fs';
export const documentText = readFileSync(new URL('openapi.json', import.meta.url), 'utf8');
`;

async function bundle() {
  const { metafile } = await esbuild.build({
    ...NODE_PROGRAM,
    absWorkingDir: root,
    entryPoints: [join(kit, 'main.ts')],
    outdir: dist,
    chunkNames: 'piece-[hash]',
    metafile: true,
    plugins: [
      inPlaceOf('harness/hub.ts', "export * from './hub.ts';"),
      inPlaceOf('harness/databases.ts', "export * from './databases.ts';"),
      inPlaceOf('harness/document.ts', DOCUMENT),
      inPlaceOf('registry/_index.ts', "export * from './listings.ts';"),
      inPlaceOf('kinds/kit/loaders.ts', loaders(await blackBox())),
    ],
  });
  return Object.keys(metafile.inputs);
}

function licences(inputs) {
  const names = inputs.flatMap((path) => {
    const found = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    return found === null ? [] : [found[0]];
  });
  const notice = (folder) => {
    const { name, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'license.md']) {
      try {
        return `${name}\n\n${readFileSync(join(root, folder, file), 'utf8')}`;
      } catch {
        // Another spelling, or none: its licence is named then.
      }
    }
    return `${name}\n\n${license}`;
  };
  return [...new Set(names)].sort().map(notice).join('\n---\n\n');
}

const started = Date.now();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const inputs = await bundle();
const insiders = inputs.filter((path) => THE_HUBS_OWN.test(path));
if (insiders.length > 0) throw new Error(`part of the hub: ${insiders.slice(0, 5).join(', ')}`);
cpSync(join(root, 'generated/openapi.json'), join(dist, 'openapi.json'));
writeFileSync(join(dist, 'LICENSES.txt'), licences(inputs));
process.stderr.write(
  `${relative(root, dist)} built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
);
