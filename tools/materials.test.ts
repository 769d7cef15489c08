import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../domain/digest.ts';
import { billOfMaterials, provenanceOf } from './materials.mjs';

/** Licences that ask for no more than their own text beside the program. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0']);
for (const each of ['ISC', 'MIT', 'CC0-1.0', 'Unlicense', 'Zlib']) ALLOWED.add(each);

const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

describe('what a package of the hub is made of', function suite() {
  this.timeout(30_000);
  const bill = billOfMaterials();

  it('lists each package that the product loads with its version, and none for tests', () => {
    // A package may be there in two versions.
    const listed = bill.components.map((each) => `${each.name}@${each.version}`);
    for (const [name, version] of Object.entries(own.dependencies)) {
      assert.ok(listed.includes(`${name}@${version}`), name);
    }
    assert.ok(listed.every((each) => !each.startsWith('mocha@')));
    const { name, version } = bill.metadata.component;
    assert.deepEqual([bill.bomFormat, name, version], ['CycloneDX', own.name, own.version]);
    assert.deepEqual(billOfMaterials(), bill);
  });

  it('has only licences that let the hub be given away', () => {
    for (const { name, licenses = [] } of bill.components) {
      const texts = licenses.map((each) =>
        'expression' in each ? each.expression : (each.license.id ?? each.license.name ?? ''),
      );
      // One license of `A OR B` may be chosen.
      const choices = texts.flatMap((text) => text.replaceAll(/[()]/g, '').split(' OR '));
      assert.ok(
        choices.some((each) => ALLOWED.has(each)),
        `${name}: ${texts.join()}`,
      );
    }
  });

  it('says of a file its digest and the commit that it was made from', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-materials-'));
    const file = join(folder, 'hub.tgz');
    writeFileSync(file, 'bytes');
    const { subject, predicate } = provenanceOf(file);
    rmSync(folder, { recursive: true });
    assert.equal(subject[0]?.digest.sha256, sha256Hex('bytes'));
    const made = JSON.stringify(predicate.buildDefinition.resolvedDependencies);
    assert.match(made, /"gitCommit":"[0-9a-f]{40}"/);
  });

  it('names the version in the image as in the package', () => {
    const label = /image\.version="([^"]+)"/.exec(readFileSync('deploy/Dockerfile', 'utf8'));
    assert.equal(label?.[1], own.version);
  });
});
