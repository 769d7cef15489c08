import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './hub.mjs';

/**
 * `npm run examples [operation …]`: answers of a Dredd run become examples in spec/examples, for
 * operations without one; `all` replaces every one. Long lists are cut, `count` says to how many.
 */
const WHOLE_ITEMS_MAX = 9;
const SHOWN_ITEMS_MAX = 2;
const SHOWN_TEXT_MAX = 300;

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'dredd-answers-'));
try {
  const answers = join(folder, 'answers.json');
  const run = fileURLToPath(new URL('run.mjs', import.meta.url));
  const env = { ...process.env, DREDD_ANSWERS: answers };
  const wanted = asked.length > 0 ? asked.filter((id) => id !== 'all') : bare();
  spawnSync(process.execPath, [run, ...wanted], { env, stdio: 'inherit' });
  const byOperation = grouped(answers);
  let written = 0;
  for (const [operationId, given] of byOperation) {
    const file = join(root, 'spec/examples', `${operationId.replace('.', '/')}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(given, null, 2)}\n`);
    written += 1;
  }
  process.stdout.write(`${written} operations have a new example; npm run generate takes them.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The operations of which a success has no example. */
function bare() {
  const { paths } = JSON.parse(readFileSync(join(root, 'generated/openapi.json'), 'utf8'));
  const isBare = ({ responses }) =>
    Object.values(responses[200]?.content ?? {}).some(({ example }) => example === undefined);
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(isBare)
    .map(({ operationId }) => operationId);
}

/** Operation to status to media type to what is shown. */
function grouped(file) {
  const all = new Map();
  for (const { operationId, status, type, body } of JSON.parse(readFileSync(file, 'utf8'))) {
    const given = all.get(operationId) ?? {};
    given[status] = { ...given[status], [type]: shown(operationId, type, body) };
    all.set(operationId, given);
  }
  return all;
}

function shown(operationId, type, body) {
  // The whole document inside of itself would say nothing.
  if (operationId === 'discovery.openapi') {
    const { openapi, info } = JSON.parse(body);
    return { openapi, info: { title: info.title, version: info.version }, paths: {} };
  }
  if (type === 'application/json') return shortened(JSON.parse(body));
  if (type === 'application/x-ndjson') {
    return body
      .trimEnd()
      .split('\n')
      .slice(0, SHOWN_ITEMS_MAX)
      .map((line) => JSON.parse(line));
  }
  if (type === 'text/event-stream') return firstEvent(body);
  return body.length <= SHOWN_TEXT_MAX ? body : `${body.slice(0, SHOWN_TEXT_MAX)}…`;
}

function firstEvent(body) {
  const lines = body.split('\n\n').find((each) => /^data:/m.test(each)) ?? '';
  const fields = lines.split('\n').filter((line) => /^(event|data):/.test(line));
  return Object.fromEntries(
    fields.map((line) => [line.split(':')[0], line.replace(/^\w+: ?/, '')]),
  );
}

/** The first items of every list; a `count` that was the length of one is the length of what is left. */
function shortened(value) {
  if (Array.isArray(value)) {
    const isShort = value.length <= WHOLE_ITEMS_MAX;
    return (isShort ? value : value.slice(0, SHOWN_ITEMS_MAX)).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  const lists = Object.values(value).filter(Array.isArray);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) =>
      name === 'count' && lists.some((list) => list.length === each && each > WHOLE_ITEMS_MAX)
        ? [name, SHOWN_ITEMS_MAX]
        : [name, shortened(each)],
    ),
  );
}
