// The parts of a package of the hub (CycloneDX), and the sources it was made from (SLSA provenance).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The packages that the product loads, of the lock file alone, so no registry is asked. */
export function billOfMaterials() {
  // npm's own `--omit dev` also leaves out packages that a development package needs as well.
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const text = execFileSync('npm', [...words, '--sbom-type', 'application'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16_777_216,
    shell: process.platform === 'win32',
  });
  // Equal sources give equal bytes: npm writes the time, a random number and the folder's name.
  const { serialNumber: _, metadata, components, dependencies, ...bill } = JSON.parse(text);
  const { timestamp: __, component, ...rest } = metadata;
  const loaded = loadedPackages();
  const refs = new Set([component['bom-ref'], ...loaded]);
  return {
    ...bill,
    metadata: { ...rest, component: { ...component, name: own.name } },
    components: components.filter((each) => loaded.has(`${each.name}@${each.version}`)),
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((each) => refs.has(each)),
      })),
  };
}

function loadedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const loaded = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true,
  );
  return new Set(
    loaded.map(([path, { name, version }]) => {
      return `${name ?? path.split('node_modules/').at(-1)}@${version}`;
    }),
  );
}

/** An in-toto statement about a file that `command` made. It is signed at a release, as by cosign. */
export function provenanceOf(file, command = 'npm run pack:hub') {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const digestOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: basename(file), digest: { sha256: digestOf(file) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `urn:${own.name}:pack:1`,
        externalParameters: { command, version: own.version },
        internalParameters: {
          node: process.version,
          system: `${process.platform}-${process.arch}`,
        },
        resolvedDependencies: [
          { name: own.name, digest: { gitCommit: git('rev-parse', 'HEAD') } },
          {
            name: 'package-lock.json',
            digest: { sha256: digestOf(join(root, 'package-lock.json')) },
          },
        ],
      },
      runDetails: {
        builder: { id: `urn:${own.name}:clone` },
        metadata: { isClean: git('status', '--porcelain') === '' },
      },
    },
  };
}
