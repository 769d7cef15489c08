import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Draft } from '../../domain/acceptance/schemaKeywords.ts';
import { compileRule } from '../../server/hub/checks/compiler.ts';

/** The public test suite of JSON Schema, judged as rules of tasks (README.md beside it). */
export interface SuiteGroup {
  readonly draft: Draft;
  readonly file: string;
  readonly group: string;
  readonly schema: unknown;
  readonly tests: readonly (readonly [title: string, value: unknown, valid: boolean])[];
}

export interface SuiteOutcome {
  readonly judged: number;
  readonly wrong: readonly string[];
  /** Groups whose rule is refused at publication, with the reason. */
  readonly refused: readonly { readonly of: SuiteGroup; readonly why: string }[];
}

const DRAFTS: Readonly<Record<Draft, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

export function readSuite(): readonly SuiteGroup[] {
  const file = new URL('suite.json.gz', import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as readonly SuiteGroup[];
}

/** The schema as a rule that names its draft, unless it does so itself. */
export function ruleOf({ draft, schema }: Pick<SuiteGroup, 'draft' | 'schema'>): unknown {
  const isNamed = typeof schema !== 'object' || schema === null;
  const named = isNamed ? schema : { $schema: DRAFTS[draft], ...schema };
  return { kind: 'json_schema', schema: named };
}

export function judgeSuite(groups: readonly SuiteGroup[]): SuiteOutcome {
  const wrong: string[] = [];
  const refused: { of: SuiteGroup; why: string }[] = [];
  let judged = 0;
  for (const group of groups) {
    const rule = compileRule(ruleOf(group));
    if (!('ok' in rule)) {
      refused.push({ of: group, why: rule.why });
      continue;
    }
    for (const [title, value, valid] of group.tests) {
      judged += 1;
      // The listing of all reasons is a second evaluation, which must agree.
      const verdicts = [rule.judge(value).accepted, rule.judgeInFull(value).accepted];
      if (verdicts.every((accepted) => accepted === valid)) continue;
      wrong.push(`${group.draft} ${group.file}: ${group.group}: ${title}`);
    }
  }
  return { judged, wrong, refused };
}
