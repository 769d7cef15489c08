import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { sources } from './tree.ts';

/**
 * Names that the code once had for things that the field calls otherwise (docs/glossary.md). Only
 * identifiers are read, so prose, wire names and tables are free of it; an entry is added when a
 * name is replaced, and none is ever taken out.
 */
const REPLACED: Readonly<Record<string, string>> = {
  Bell: 'Notifier',
  Cast: 'ScriptedAgents',
  Court: 'PanelDriver',
  Crowd: 'ConcurrencyLimits',
  Ears: 'Listeners',
  Errand: 'JudgeCall',
  Gate: 'Limiter',
  Idea: 'QueryTerm',
  InPlay: 'TaskAggregate',
  Introductions: 'AddressAllowances',
  Journey: 'RequestContext',
  LookReport: 'CrawlReport',
  Mortal: 'CrashableProcess',
  OpenedPairs: 'HostAllowList',
  Outside: 'Outbound',
  Ration: 'Quota',
  Ringer: 'Notifications',
  Sighted: 'MergedListing',
  Sighting: 'ProbeResult',
  Sights: 'CoverageCounters',
  Speak: 'AgentClient',
  Spoken: 'AgentResponse',
  Stage: 'Runtime',
  Together: 'Batcher',
  Town: 'fixture',
  Troupe: 'RunningAgents',
  Turns: 'StatementQueue',
  Visit: 'CrawlSession',
  hasLooked: 'hasScanned',
  isHeir: 'waitsForReserved',
  keepSilent: 'recordUnreachable',
  journey: 'context',
  mayInherit: 'mayTakeReserved',
  met: 'matched',
  roused: 'woken',
  said: 'output, message or answer',
  slips: 'typos',
  tell: 'report',
  tellHeirs: 'notifyWaiters',
  told: 'reported',
};

/** A column keeps its name, which processes of the version before still write in an upgrade. */
const COLUMN = /addressAllowances\.ts: said /;

describe('names', () => {
  it('are those of the field, not the ones that they replaced', () => {
    const files = sources.filter((path) => path !== 'tools/words.test.ts');
    assert.ok(files.length > 1000, 'the sources were found');
    const found = files.flatMap(replacedIn);
    assert.deepEqual(
      found.filter((each) => !COLUMN.test(each)),
      [],
    );
  });
});

function replacedIn(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  // Most files have none of the words at all, and are not parsed.
  if (!Object.keys(REPLACED).some((name) => text.includes(name))) return [];
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && Object.hasOwn(REPLACED, node.text)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false));
  return [...found].map((name) => `${path}: ${name} is ${REPLACED[name] ?? ''}`);
}
