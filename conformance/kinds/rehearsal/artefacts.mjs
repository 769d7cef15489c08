import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Packs what a release consists of in the built clone, each with its statement of provenance. */
export async function makeArtefacts(clone, out, python) {
  mkdirSync(out);
  // The modules of the clone, so that the statements name its commit.
  const of = (path) => import(join(clone, 'tools', path));
  const { pack } = await of('pack.mjs');
  const { packHub, stageHub } = await of('packHub.mjs');
  const { packWheel } = await of('sdk/packWheel.mjs');
  const { provenanceOf } = await of('materials.mjs');
  const npm = [];
  for (const name of ['client', 'conformance']) {
    const file = join(out, `${name}.tgz`);
    npm.push({ file, integrity: await pack(name, file) });
  }
  const wheel = join(out, packWheel(out, python));
  const hub = join(out, 'hub.tgz');
  await packHub(hub);
  const image = join(out, 'image');
  stageHub(image);
  const stated = [...npm.map(({ file }) => file), wheel];
  for (const file of stated) {
    writeFileSync(
      `${file}.provenance.json`,
      JSON.stringify(provenanceOf(file, 'npm run rehearse')),
    );
  }
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone, encoding: 'utf8' }).trim();
  for (const file of stated) mustState(`${file}.provenance.json`, file, head);
  mustState(join(out, 'hub.provenance.json'), hub, head);
  const described = [...stated, hub].map((file) => `made ${basename(file)}, ${kB(file)} kB`);
  return { npm, wheel, image, described: [...described, listed(join(out, 'hub.sbom.cdx.json'))] };
}

const kB = (file) => Math.round(statSync(file).size / 1024);

/** The statement is about these bytes, and about a clean tree at the commit of the tag. */
function mustState(statement, file, commit) {
  const { subject, predicate } = JSON.parse(readFileSync(statement, 'utf8'));
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const [source] = predicate.buildDefinition.resolvedDependencies;
  const stated = [subject[0].digest.sha256, source.digest.gitCommit];
  if (stated[0] !== sha256 || stated[1] !== commit) throw new Error(`${statement}: ${stated}`);
  if (!predicate.runDetails.metadata.isClean) throw new Error(`${statement}: changed files`);
}

function listed(bill) {
  const { bomFormat, components } = JSON.parse(readFileSync(bill, 'utf8'));
  if (bomFormat !== 'CycloneDX' || components.length === 0) throw new Error(`${bill} is empty`);
  return `${basename(bill)} names ${components.length} packages`;
}
