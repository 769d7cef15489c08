import { deepEqual, equal, match } from 'node:assert/strict';
import { checkRule } from './checkRule.ts';
import { contentsAsked, type JudgedFile } from './files.ts';
import { judge } from './judge.ts';
import type { AcceptanceRule } from './rule.ts';

const REPORT: JudgedFile = {
  name: 'report.json',
  bytes: 24,
  mediaType: 'application/json',
  text: '{"rows": [1, 2, 3], "ok": 1}',
};
const PLOT: JudgedFile = { name: 'plot.png', bytes: 5_000, mediaType: 'image/png' };

describe('acceptance by files', () => {
  it('takes the files that are as asked', () => {
    for (const rule of [
      { kind: 'files', min: 2, max: 2 },
      { kind: 'files', checks: [{ name: 'plot.png', mediaTypes: ['image/png', 'image/webp'] }] },
      { kind: 'files', checks: [{ minBytes: 24, maxBytes: 5_000 }] },
      withContents({ kind: 'fields', checks: [{ path: 'rows', minLength: 3 }] }),
      withContents({ kind: 'all', of: [{ kind: 'fields', checks: [{ path: 'ok', equals: 1 }] }] }),
    ]) {
      deepEqual(judged(rule), [], JSON.stringify(rule));
    }
  });

  it('names the place, the rule and what it found of each that is not', () => {
    const cases: readonly (readonly [rule: object, ...reasons: string[]])[] = [
      [{ kind: 'files', min: 3 }, '/files: expected at least 3 files, got 2 (files.min)'],
      [{ kind: 'files', max: 1 }, '/files: expected at most 1 file, got 2 (files.max)'],
      [
        { kind: 'files', checks: [{ name: 'x.csv', minBytes: 1 }] },
        '/files: expected a file named x.csv, got report.json, plot.png (files.name)',
      ],
      [
        { kind: 'files', checks: [{ mediaTypes: ['image/png'] }] },
        '/files/0: expected one of image/png, got application/json (files.mediaType)',
      ],
      [
        { kind: 'files', checks: [{ maxBytes: 100 }, { minBytes: 25 }] },
        '/files/1: expected at most 100 bytes, got 5000 (files.maxBytes)',
        '/files/0: expected at least 25 bytes, got 24 (files.minBytes)',
      ],
      [
        withContents({ kind: 'fields', checks: [{ path: 'rows', minLength: 4 }] }),
        '/files/0/rows: expected at least 4 items, got 3 (fields.minLength)',
      ],
      [
        { kind: 'files', checks: [{ contents: { kind: 'contains', values: ['x'] } }] },
        '/files/0: expected text that contains "x", got no text (contains.all)',
        '/files/1: expected JSON of at most 262144 bytes, got 5000 bytes that are none (files.contents)',
      ],
    ];
    for (const [rule, ...reasons] of cases) deepEqual(judged(rule), reasons);
    deepEqual(judged({ kind: 'files', checks: [{ name: 'a' }] }, []), [
      '/files: expected a file named a, got no file (files.name)',
    ]);
  });

  it('judges no contents that nest too deep or are no JSON', () => {
    const rule = withContents({ kind: 'contains', values: ['1'] });
    const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
    const [reason = ''] = judged(rule, [{ ...REPORT, text: deep }]);
    match(reason, /^\/files\/0: expected at most 64 levels/);
    for (const text of ['', '{', 'NaN', "{'a': 1}"]) {
      match(judged(rule, [{ ...REPORT, text }])[0] ?? '', /files\.contents/, text);
    }
  });

  it('asks for the contents of the files that a check of them names, and of no other', () => {
    const all = { kind: 'all', of: [withContents({ kind: 'contains', values: ['a'] })] };
    deepEqual([...contentsAsked(ruleOf(all), [PLOT, REPORT, PLOT])], [1]);
    const each = { kind: 'files', checks: [{ contents: { kind: 'contains', values: ['a'] } }] };
    deepEqual([...contentsAsked(ruleOf(each), [PLOT, REPORT])], [0, 1]);
    deepEqual([...contentsAsked(ruleOf({ kind: 'files', min: 1 }), [PLOT])], []);
  });

  it('refuses at publication what means nothing or has no bound', () => {
    const cases: readonly (readonly [rule: object, pointer: string])[] = [
      [{ kind: 'files' }, ''],
      [{ kind: 'files', min: 3, max: 2 }, '/min'],
      [{ kind: 'files', min: 21 }, '/min'],
      [{ kind: 'files', min: 0.5 }, '/min'],
      [{ kind: 'files', size: 1 }, '/size'],
      [{ kind: 'files', checks: [] }, '/checks'],
      [{ kind: 'files', checks: [{}] }, '/checks/0'],
      [{ kind: 'files', checks: ['a'] }, '/checks/0'],
      [{ kind: 'files', checks: [{ name: 'a/b' }] }, '/checks/0/name'],
      [{ kind: 'files', checks: [{ mediaTypes: [] }] }, '/checks/0/mediaTypes'],
      [{ kind: 'files', checks: [{ mediaTypes: ['Text/HTML'] }] }, '/checks/0/mediaTypes/0'],
      [{ kind: 'files', checks: [{ minBytes: -1 }] }, '/checks/0/minBytes'],
      [{ kind: 'files', checks: [{ maxBytes: 33_554_433 }] }, '/checks/0/maxBytes'],
      [{ kind: 'files', checks: [{ contents: { kind: 'files', min: 1 } }] }, '/checks/0/contents'],
      [
        { kind: 'files', checks: [{ contents: { kind: 'fields', checks: [] } }] },
        '/checks/0/contents/checks',
      ],
      [{ kind: 'files', checks: Array.from({ length: 51 }, () => ({ name: 'a' })) }, '/checks'],
    ];
    for (const [rule, pointer] of cases) {
      const check = checkRule(rule);
      equal('refused' in check && check.pointer, pointer, JSON.stringify(rule));
    }
  });
});

function withContents(contents: object): object {
  return { kind: 'files', checks: [{ name: 'report.json', contents }] };
}

function ruleOf(value: object): AcceptanceRule {
  const check = checkRule(value);
  if (!('ok' in check)) throw new Error(`${check.pointer} ${check.why}`);
  return check.rule;
}

function judged(rule: object, files: readonly JudgedFile[] = [REPORT, PLOT]): readonly string[] {
  const verdict = judge(ruleOf(rule), 'any', () => [], files);
  return verdict.accepted ? [] : verdict.refused.map(({ text }) => text);
}
