// Packs the built hub for an operator: dist/ with its data and the packages that cannot be bundled.
// No compiler or registry is needed, but sqlite3 binds it to this system and processor.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { billOfMaterials, provenanceOf } from './materials.mjs';
import { npm } from './pack.mjs';
import { DATA, PROGRAMS } from './programs.mjs';

const root = resolve(import.meta.dirname, '..');
const OUTSIDE = ['pino', 'pino-pretty', 'sqlite3', 'yaml'];
/** The packages with which sqlite3 compiles itself; the compiled file is packed instead. */
const TO_COMPILE = ['node-addon-api', 'prebuild-install', 'tar'];
const SQLITE_FILES = ['LICENSE', 'lib', 'build/Release/node_sqlite3.node'];

/** Lays the package out in `folder`, which must not exist. */
export function stageHub(folder) {
  if (!existsSync(join(root, 'dist/server/main.js'))) throw new Error('npm run build first');
  const isWanted = (path) => !path.endsWith('.map');
  const copy = (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to, { recursive: true, filter: isWanted });
  };
  const parts = [...PROGRAMS, ...DATA.map((name) => `generated/${name}`), 'pieces', 'web'];
  if (existsSync(join(root, 'dist/docs'))) parts.push('docs');
  for (const part of parts) copy(join(root, 'dist', part), join(folder, 'dist', part));
  for (const paper of ['README.md', 'LICENSE']) copy(join(root, paper), join(folder, paper));
  chmodSync(join(folder, 'dist/server/cli.js'), 0o755);
  const packed = new Map();
  for (const name of OUTSIDE) packModule(name, root, join(folder, 'node_modules'), packed);
  writeJson(join(folder, 'package.json'), manifest(packed));
  writeJson(join(folder, 'sbom.cdx.json'), billOfMaterials());
}

/** Copies a package and those that it needs, each where the loader finds it here. */
function packModule(name, from, modules, packed) {
  const place = placeOf(name, from);
  const path = relative(join(root, 'node_modules'), place);
  if (packed.has(path)) return;
  const own = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  packed.set(path, own.version);
  const needed = Object.keys(own.dependencies ?? {}).filter((each) => !TO_COMPILE.includes(each));
  const isOwn = (each) => !relative(place, each).split(sep).includes('node_modules');
  const files = name === 'sqlite3' ? SQLITE_FILES : ['.'];
  for (const file of files) {
    cpSync(join(place, file), join(modules, path, file), { recursive: true, filter: isOwn });
  }
  // For sqlite3, `files` leaves out what was compiled.
  const { scripts: _, devDependencies: __, files: ___, ...rest } = own;
  const dependencies = Object.fromEntries(needed.map((each) => [each, own.dependencies[each]]));
  writeJson(join(modules, path, 'package.json'), { ...rest, dependencies });
  for (const each of needed) packModule(each, place, modules, packed);
}

/** The folder that Node would load the package from. */
function placeOf(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const place = join(at, 'node_modules', name);
    if (existsSync(place)) return place;
    if (dirname(at) === at) throw new Error(`${name} is not installed`);
  }
}

function manifest(packed) {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, type, engines, bin } = own;
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    os: [process.platform],
    cpu: [process.arch],
    scripts: { start: 'node dist/server/main.js' },
    dependencies: Object.fromEntries(OUTSIDE.map((each) => [each, packed.get(each)])),
    bundleDependencies: OUTSIDE,
  };
}

const beside = (file, kind) => file.replace(/(?:\.tgz)?$/, `.${kind}.json`);

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes the package to `file`, and beside it what is in it and from what it was made. */
export async function packHub(file) {
  const stage = mkdtempSync(join(tmpdir(), 'hub-pack-'));
  try {
    stageHub(join(stage, 'hub'));
    const words = ['pack', '--json', '--ignore-scripts'];
    const [packed] = JSON.parse(await npm(words, join(stage, 'hub')));
    mkdirSync(dirname(file), { recursive: true });
    cpSync(join(stage, 'hub', packed.filename), file);
    writeJson(beside(file, 'sbom.cdx'), billOfMaterials());
    writeJson(beside(file, 'provenance'), provenanceOf(file));
    return packed;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  const { values } = parseArgs({
    options: { file: { type: 'string' }, folder: { type: 'string' } },
  });
  if (values.folder !== undefined) stageHub(resolve(values.folder));
  else if (values.file !== undefined) {
    const { size, unpackedSize } = await packHub(resolve(values.file));
    process.stdout.write(`${values.file}: ${size} bytes, ${unpackedSize} unpacked\n`);
  } else {
    process.stderr.write('node tools/packHub.mjs --file FILE.tgz | --folder FOLDER\n');
    process.exit(2);
  }
}
