// Prints what the contract breaks since spec/released/openapi.json, by Redocly's diff, and fails
// unless the version rose as CONTRIBUTING says: its major, before 1.0.0 its minor number.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [released = 'spec/released/openapi.json', now = 'generated/openapi.json'] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'contract-diff-'));
try {
  const output = join(folder, 'diff.json');
  const cli = 'node_modules/@redocly/cli/bin/cli.js';
  const words = ['diff', released, now, '--format=json', '--fail-on=none', '--output', output];
  // Without the configuration of spec/: its rules are for lint, and would take those of diff away.
  const run = spawnSync(process.execPath, [cli, ...words], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stdout + run.stderr);
  const { changes, infoVersions } = JSON.parse(readFileSync(output, 'utf8'));
  const breaking = changes.filter((each) => each.impact === 'major' && !isWider(each));
  for (const { path, kind, property } of breaking) {
    process.stdout.write(
      `breaks: ${path}${property === undefined ? '' : ` ${property}`} ${kind}\n`,
    );
  }
  const { base, revision } = infoVersions;
  process.stdout.write(`${breaking.length} breaking changes from ${base} to ${revision}\n`);
  if (breaking.length > 0 && !hasRisen(base, revision)) {
    process.stdout.write('A breaking change raises the version (CONTRIBUTING, Version).\n');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Whether a request takes one more form of a value, which Redocly rates like one less. */
function isWider({ path, kind }) {
  return kind === 'added' && /\/requestBody\/.*\/oneOf\/\d+$/.test(path);
}

function hasRisen(from, to) {
  const [[major, minor], [nextMajor, nextMinor]] = [from, to].map((version) =>
    version.split('.').map(Number),
  );
  return nextMajor > major || (major === 0 && nextMajor === 0 && nextMinor > minor);
}
