import { createChecks } from '../../../workflows/kernel/checks/checks.ts';

/**
 * Acceptance checks a second, by kind of rule, with one check at a time and with as many at once as
 * keep every worker busy: `npx tsx conformance/kinds/bench/checks.ts [milliseconds]`.
 */
const spanMs = Number(process.argv[2] ?? 1_000);
const AT_ONCE = 16;

const small = { name: 'report', items: [1, 2, 3], note: 'the token is welcome-7' };
const large = { ...small, body: 'lorem ipsum '.repeat(20_000) };
const schema = {
  type: 'object',
  required: ['name', 'items'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 40 },
    items: { type: 'array', items: { type: 'integer' }, minItems: 1 },
  },
};
const cases: readonly (readonly [string, unknown, unknown])[] = [
  ['fields', { kind: 'fields', checks: [{ path: 'items', minLength: 3 }] }, small],
  ['contains', { kind: 'contains', values: ['welcome-7'] }, small],
  [
    'all of both',
    {
      kind: 'all',
      of: [
        { kind: 'fields', checks: [{ path: '/name', equals: 'report' }] },
        { kind: 'contains', values: ['welcome-7'] },
      ],
    },
    small,
  ],
  ['contains, 240 KB', { kind: 'contains', values: ['welcome-7'] }, large],
  ['json_schema', { kind: 'json_schema', schema }, small],
  ['json_schema, refused', { kind: 'json_schema', schema }, { items: ['x'] }],
  ['json_schema, 240 KB', { kind: 'json_schema', schema }, large],
];

const HERE = { ip: '127.0.0.1' };
const checks = createChecks();
const columns = (cells: readonly string[]): string =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(24) : cell.padStart(14))).join('');
console.log(columns(['kind', 'one at a time', `${AT_ONCE} at once`]));
for (const [name, rule, result] of cases) {
  const compiled = await checks.compile(rule, HERE);
  if (!('ok' in compiled)) throw new Error(`${name}: ${compiled.why}`);
  const check = async (): Promise<void> => {
    await checks.judge(compiled.rule, result, HERE);
  };
  await perSecond(check, AT_ONCE, spanMs / 5);
  const rates = [await perSecond(check, 1, spanMs), await perSecond(check, AT_ONCE, spanMs)];
  console.log(columns([name, ...rates.map((rate) => `${Math.round(rate)}/s`)]));
}
const published = { kind: 'json_schema', schema };
let publications = 0;
const publish = async (): Promise<void> => {
  publications += 1;
  await checks.compile({ ...published, description: `number ${publications}` }, HERE);
};
const rates = [await perSecond(publish, 1, spanMs), await perSecond(publish, AT_ONCE, spanMs)];
console.log(columns(['publication, new schema', ...rates.map((rate) => `${Math.round(rate)}/s`)]));
await checks.close();

async function perSecond(run: () => Promise<void>, lanes: number, ms: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() - began < ms) {
      await run();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (done * 1_000) / (performance.now() - began);
}
