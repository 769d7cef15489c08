import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rowsIn } from '../../../tools/outcomes.mjs';
import { stepsOf } from '../../discovery/_follow.ts';

/** `npm run frameworks` follows the page, so what it says of the runs is held here. */
const PAGE = 'docs/frameworks.md';
const steps = stepsOf(PAGE);
const sections = [...new Set(steps.map(({ section }) => section))];

describe('the page of frameworks', () => {
  it('has a section for each framework, whose last run is in the table of the runs', () => {
    const rows = rowsIn(readFileSync('docs/testing.md', 'utf8'), 'with');
    assert.ok(sections.length >= 10, sections.join());
    for (const section of sections) {
      const [outcome, date, seconds] = rows.get(section) ?? [];
      assert.equal(outcome, 'paid', section);
      assert.match(String(date), /^20\d\d-\d\d-\d\d$/, section);
      assert.ok(Number(seconds) > 0, section);
    }
  });

  it('says of each framework whether a script ran it, and what was not run', () => {
    const rows = rowsIn(readFileSync(PAGE, 'utf8'), 'framework');
    const named = [...rows.keys()];
    assert.deepEqual(named, [...sections, 'A GitHub Action']);
    for (const [name, [ran, not]] of rows) {
      assert.match(String(ran), /^the \w/, name);
      assert.equal(not === 'nothing', ran === 'the whole worker', name);
    }
  });

  it('installs exact versions, so that what was run is what is installed', () => {
    const installs = steps.flatMap(({ text }) => text.match(/^(?:npm|pip) install .+$/gm) ?? []);
    assert.ok(installs.length >= sections.length);
    for (const line of installs) {
      const names = line.split(' ').slice(2);
      for (const name of names)
        assert.match(name, /^http:|@\d+\.\d+\.\d+$|==\d+\.\d+\.\d+'?$/, line);
    }
  });

  it('has programs of a few lines', () => {
    const programs = steps.filter(({ language }) => ['js', 'python'].includes(language));
    assert.ok(programs.length >= 9);
    for (const { text, section } of programs) {
      const lines = text.split('\n').filter((line) => !/^(?:import|from|$)/.test(line));
      assert.ok(lines.length <= 14, `${section}: ${lines.length} lines`);
    }
  });

  it('starts the same in a folder as in the container', () => {
    const own = steps.filter(({ section }) => section === 'A container on a schedule');
    const text = own.find(({ language }) => language === 'dockerfile')?.text ?? '';
    const run = /^RUN (.+)$/m.exec(text)?.[1] ?? 'no command';
    const words = JSON.parse(/^CMD (\[.+\])$/m.exec(text)?.[1] ?? '[]') as readonly string[];
    const command = words.map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
    const beside = own.filter(({ language }) => language === 'sh').at(-1)?.text ?? '';
    assert.ok(words.length > 5 && beside.includes(run) && beside.includes(command), command);
  });
});
