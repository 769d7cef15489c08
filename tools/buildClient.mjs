// Builds the published client into clients/typescript/dist: ESM and CommonJS with everything they
// need inside (one of its libraries is ESM alone, and the other's CommonJS default export does not
// survive interop), one file for a browser, and declarations that lead nowhere outside the package.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import ts from 'typescript';
import { compactTable } from './compactTable.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'clients/typescript');
const dist = join(source, 'dist');
const INLINED = [
  'openapi-fetch',
  '@noble/ed25519',
  '@noble/post-quantum',
  '@scure/base',
  'age-encryption',
];

const shared = {
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
};

/** The operations as the command line needs them, in place of the whole contract. */
async function contractJson() {
  const built = await esbuild.build({
    ...shared,
    entryPoints: [join(source, 'cli/contractOf.ts')],
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(built.outputFiles[0].contents).toString('base64');
  const { contractOf } = await import(`data:text/javascript;base64,${code}`);
  const document = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));
  return JSON.stringify(contractOf(document));
}

const compactContract = (json) => ({
  name: 'compact contract',
  setup({ onLoad }) {
    onLoad({ filter: /clients\/typescript\/cli\/contract\.ts$/ }, () => ({
      contents: `const text = ${JSON.stringify(json)};\nexport const contract = () => JSON.parse(text);`,
    }));
  },
});

/**
 * The Node entry shares the main one, so that its classes are the same classes, and the command line
 * loads what seals files at its first use.
 */
const beside = (filter, file) => ({
  name: `beside ${file}`,
  setup({ onResolve }) {
    onResolve({ filter }, () => ({ path: file, external: true }));
  },
});

async function bundles() {
  const table = await compactTable();
  const index = { ...shared, entryPoints: [join(source, 'index.ts')], plugins: [table] };
  const verifyEntry = { ...index, entryPoints: [join(source, 'verify.ts')] };
  const node = (file) => ({
    ...shared,
    entryPoints: [join(source, 'node.ts')],
    platform: 'node',
    plugins: [beside(/^\.\/index\.ts$/, file)],
  });
  const out = (name) => join(dist, name);
  const seal = { ...shared, entryPoints: [join(source, 'seal.ts')], platform: 'neutral' };
  // Three entries, so that what only checking needs lies in a piece of its own: a bundler leaves out
  // the pieces that a page does not use (sideEffects: false), and cannot leave out a part of one.
  const pieces = {
    ...index,
    entryPoints: ['index', 'verify', 'sign'].map((name) => join(source, `${name}.ts`)),
    splitting: true,
    chunkNames: 'piece-[hash]',
    outdir: dist,
  };
  const cli = {
    ...shared,
    entryPoints: [join(source, 'cli/main.ts')],
    platform: 'node',
    plugins: [
      table,
      compactContract(await contractJson()),
      beside(/^\.\.\/seal\.ts$/, './seal.js'),
    ],
  };
  await Promise.all([
    esbuild.build({ ...pieces, platform: 'neutral', format: 'esm' }),
    esbuild.build({
      ...verifyEntry,
      platform: 'neutral',
      format: 'cjs',
      outfile: out('verify.cjs'),
    }),
    esbuild.build({ ...seal, format: 'esm', outfile: out('seal.js') }),
    esbuild.build({ ...seal, format: 'cjs', outfile: out('seal.cjs') }),
    esbuild.build({ ...cli, format: 'esm', outfile: out('cli.js') }),
    esbuild.build({ ...index, platform: 'neutral', format: 'cjs', outfile: out('index.cjs') }),
    esbuild.build({
      ...index,
      platform: 'browser',
      format: 'esm',
      minify: true,
      outfile: out('browser.js'),
    }),
    esbuild.build({ ...node('./index.js'), format: 'esm', outfile: out('node.js') }),
    esbuild.build({ ...node('./index.cjs'), format: 'cjs', outfile: out('node.cjs') }),
  ]);
}

/** Declarations of the client's own files by absolute path, in memory. */
function emitDeclarations() {
  const read = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...read.config, include: [] }, ts.sys, root);
  const program = ts.createProgram(
    ['index.ts', 'verify.ts', 'seal.ts', 'node.ts'].map((name) => join(source, name)),
    {
      ...options,
      types: ['node'],
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: root,
    },
  );
  const files = new Map();
  const { diagnostics, emitSkipped } = program.emit(undefined, (name, text) =>
    files.set(name, text),
  );
  if (emitSkipped || diagnostics.length > 0) {
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  }
  return files;
}

const REFERENCE = /^(import .*? from |export .*? from |.*\bimport\()(['"])(\.[^'"]+)\2/gm;
/** The contract's types are large and lead nowhere, so one file serves both kinds of module. */
const CONTRACT = 'types';

function declarations() {
  const emitted = emitDeclarations();
  const named = new Map();
  const nameOf = (path) => {
    const known = named.get(path);
    if (known !== undefined) return known.name;
    const name = path.split('/').at(-1).replace('.d.ts', '');
    if ([...named.values()].some((other) => other.name === name)) {
      throw new Error(`two declarations are named ${name}`);
    }
    const file = { name, text: '' };
    named.set(path, file);
    const text = emitted.get(path);
    if (text === undefined) throw new Error(`there is no declaration ${path}`);
    const rename = (_, before, quote, specifier) => {
      const target = resolve(dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts'));
      const reached = nameOf(target);
      return `${before}${quote}./${reached}.${reached === CONTRACT ? 'cjs' : 'js'}${quote}`;
    };
    file.text = name === CONTRACT ? withPlainText(text) : text.replace(REFERENCE, rename);
    return name;
  };
  for (const entry of ['index', 'verify', 'seal', 'node']) nameOf(join(source, `${entry}.d.ts`));
  for (const { name, text } of named.values()) {
    const common = text.replace(REFERENCE, (whole) => whole.replace(/\.js(['"])$/, '.cjs$1'));
    writeFileSync(join(dist, `${name}.d.cts`), name === CONTRACT ? text : common);
    if (name !== CONTRACT) writeFileSync(join(dist, `${name}.d.ts`), text);
  }
}

/** The server's names for kinds of text mean nothing to a caller. */
function withPlainText(text) {
  const plain = 'export type Wire<_Name extends string> = string;\n';
  const found = text.replace(/export type Wire<[^]*?\n};\n/, plain);
  if (found === text) throw new Error('the declaration of Wire has another form now');
  return found;
}

/** The notices that the inlined packages ask for. */
function licences() {
  return INLINED.map(
    (name) => `${name}\n\n${readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')}`,
  ).join('\n---\n\n');
}

const started = Date.now();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await bundles();
declarations();
writeFileSync(join(dist, 'LICENSES.txt'), licences());
process.stderr.write(
  `${relative(root, dist)} built in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
);
