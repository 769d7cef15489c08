import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { root } from '../dredd/hub.mjs';
import { choose } from './choose.ts';

/**
 * `npm run refusals [operation …]`: runs the tests that meet refusals, and keeps up to three of each
 * operation in spec/examples/refusals. Named operations run their own tests and those of every operation.
 */
const asked = process.argv.slice(2);
const contract = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));
const ids = Object.values(contract.paths)
  .flatMap((item) => Object.values(item))
  .map(({ operationId }) => operationId)
  .filter((id) => asked.length === 0 || asked.includes(id));
const layout = await resolveConfig(join(root, 'package.json'));
const folder = mkdtempSync(join(tmpdir(), 'hub-refusals-'));
try {
  const file = join(folder, 'met.ndjson');
  const every = ['conformance/kinds/hints', 'conformance/kinds/coverage/refused.test.ts'];
  const tests = ids.map((id) => `conformance/${place(id)}.test.ts`);
  spawnSync(process.execPath, [join(root, 'tools/test.mjs'), ...tests, ...every], {
    cwd: root,
    env: { ...process.env, REFUSALS_FILE: file },
    stdio: 'inherit',
  });
  const matched = grouped(linesOf(file));
  for (const id of ids) {
    const refusals = matched.get(id) ?? [];
    if (refusals.length === 0) continue;
    const target = join(root, 'spec/examples/refusals', `${place(id)}.json`);
    mkdirSync(dirname(target), { recursive: true });
    const text = JSON.stringify(choose(refusals, ownCodes(id)), null, 2);
    writeFileSync(target, await format(text, { ...layout, parser: 'json' }));
  }
  process.stdout.write(
    `Refusals of ${matched.size} operations were met; npm run generate takes them.\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function place(id) {
  return id.replace('.', '/');
}

function ownCodes(id) {
  return parse(readFileSync(join(root, `spec/${place(id)}.yaml`), 'utf8'))['x-errors'] ?? [];
}

function linesOf(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function grouped(lines) {
  const all = new Map();
  for (const { operationId, refusal } of lines) {
    all.set(operationId, [...(all.get(operationId) ?? []), refusal]);
  }
  return all;
}
