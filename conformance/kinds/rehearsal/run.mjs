import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asCommand, CannotRun, environment } from '../../../tools/python.mjs';
import { startPostgres } from '../../harness/postgres.ts';
import { installPackages } from '../../../tools/installPackages.mjs';
import { makeArtefacts } from './artefacts.mjs';
import { buildClone, cloneForRelease, root, tagRelease } from './clone.mjs';
import { publishNpm, publishWheel } from './publish.mjs';
import { upgrade } from './upgrade.mjs';

/**
 * `npm run rehearse`: a release of the committed tree from its changelog to an upgrade, in a clone
 * and with registries on loopback. It publishes nothing and changes nothing here. Exit codes: 0 a
 * release would work, 1 it would not, 2 it could not run.
 */
const say = (line) => process.stdout.write(`${line}\n`);

await asCommand(async () => {
  installPackages(import.meta.dirname, 'Verdaccio, the registry of the rehearsal');
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const bin = environment(requirements, join(root, 'node_modules/.cache/rehearsal'));
  if (process.platform === 'win32') throw new CannotRun('It needs links between folders.');
  const folder = mkdtempSync(join(tmpdir(), 'hub-rehearsal-'));
  const opened = [];
  try {
    const clone = cloneForRelease(join(folder, 'clone'));
    // Before the tag, which would be the newest release.
    const { buildRelease } = await import(join(clone, 'conformance/kinds/cluster/release.ts'));
    const before = await buildRelease(folder);
    say(`built ${before.name}, the release before`);
    const release = tagRelease(clone);
    say(`tagged ${release.tag}: ${release.lines} lines of the changelog`);
    buildClone(clone);
    const made = await makeArtefacts(clone, join(folder, 'made'), join(bin, 'python'));
    for (const line of made.described) say(line);
    const npm = await publishNpm(folder, made, opened, release);
    say(`installed from the registry of npm: ${npm.installed.join(', ')}`);
    const version = await publishWheel(folder, made, opened, { ...release, bin });
    say(`installed from the index of Python: agent-exchange-client ${version}`);
    const postgres = await startPostgres();
    opened.push({ close: () => postgres.stop() });
    for (const [name, url] of [
      ['SQLite', `sqlite:${join(folder, 'hub.sqlite')}`],
      ['PostgreSQL', await postgres.freshDatabase()],
    ]) {
      const seconds = await upgrade(before, made.image, { folder: npm.folder, url, name });
      say(`upgraded ${before.name} to ${release.tag} on ${name} in ${seconds.toFixed(1)} s`);
    }
    return 0;
  } finally {
    for (const each of opened.reverse()) await each.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
