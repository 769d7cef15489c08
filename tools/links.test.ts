import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { operationTable } from '../generated/operations.ts';

/** Checks that the targets of pages and comments exist: files, anchors, choices, threats, tests. */
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path) && !path.startsWith('generated/'));
const pages = tracked.filter((path) => path.endsWith('.md'));
const choicePages = pages.filter((path) => path.startsWith('spec/choices/'));
const citing = tracked.filter(
  (path) =>
    /\.(ts|mjs|cjs|js|py|sh|yaml|toml|md)$|^spec\/vectors\//.test(path) &&
    path !== 'tools/links.test.ts',
);
const INDEX = 'spec/CHOICES.md';
/** A heading, its date and what would change the choice. */
const DATED = /^[a-z0-9.-]+ — .+\n\n20\d\d-\d\d-\d\d\. What would change it: .+\.\n/;
const THREATS = 'docs/threats.md';

const text = (path: string): string => readFileSync(path, 'utf8');
const anchorsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id ?? '');

const choices = choicePages.flatMap((path) => anchorsOf(text(path)));
const threats = anchorsOf(text(THREATS));

describe('the pages', () => {
  it('link only to what exists, anchors included', () => {
    const links = pages.flatMap(linksOf);
    assert.ok(links.length > 100);
    assert.deepEqual(links.flatMap(fault), []);
  });

  it('are all reached from README or a page that it links', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      if (!existsSync(page)) continue;
      for (const { target } of linksOf(page)) if (target.endsWith('.md')) reached.add(target);
    }
    const root = pages.filter((path) => /^[^/]+$|^(docs|spec)\//.test(path));
    assert.deepEqual(
      root.filter((path) => !reached.has(path)),
      [],
    );
  });
});

describe('choices', () => {
  it('have one id each, of the page that they are on, and no id of an operation', () => {
    assert.ok(choices.length > 100);
    assert.deepEqual(repeated([...choices, ...threats]), []);
    for (const path of choicePages) {
      const area = basename(path, '.md');
      for (const id of anchorsOf(text(path))) {
        assert.match(id, new RegExp(`^${area}\\.[a-z][a-z0-9-]*$`), path);
        assert.ok(!(id in operationTable), `${id} is an operation`);
        assert.ok(text(path).includes(`<a id="${id}"></a>\n\n## ${id} — `), `heading of ${id}`);
      }
    }
  });

  it('have a question in the index, which has every page', () => {
    const index = text(INDEX);
    for (const path of choicePages) {
      assert.ok(index.includes(`(choices/${basename(path)})`), path);
      for (const id of anchorsOf(text(path))) {
        assert.match(
          index,
          new RegExp(`^- \\[.+\\?\\]\\(choices/${basename(path)}#${id}\\)$`, 'm'),
        );
      }
    }
  });

  it('have a date each, and a sentence of what would change it', () => {
    for (const path of choicePages) {
      const [, ...sections] = text(path).split(/^## /m);
      for (const section of sections) {
        assert.match(section, DATED, `${path}: ${section.slice(0, 60)}`);
      }
    }
  });

  it('are cited by ids that exist', () => {
    const cited = citing.flatMap((path) => citedIn(path, text(path)));
    assert.ok(cited.length > 150);
    const known = new Set([...choices, ...threats]);
    assert.deepEqual(
      cited.filter(({ id }) => !known.has(id)),
      [],
    );
  });

  it('are cited by no number', () => {
    const cited = citing.filter((path) =>
      /\b(choices|threats?|protocols) D?\d/i.test(joined(path)),
    );
    assert.deepEqual(cited, []);
  });

  it('number transitions and invariants, and code cites no other', () => {
    const rows = (page: string): readonly string[] =>
      [...text(page).matchAll(/^\| ([TI]\d+) +\|/gm)].map(([, row]) => row ?? '');
    const known = [...rows('spec/choices/tasks.md'), ...rows('spec/choices/ledger.md')];
    assert.deepEqual([known.length, repeated(known)], [31 + 14, []]);
    const comments = citing
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => text(path).match(/^\s*(\*|\/\*\*|\/\/).*$/gm) ?? []);
    const cited = comments.flatMap((line) => line.match(/\b[TI]\d{1,2}\b(?!-)/g) ?? []);
    assert.ok(cited.length > 50);
    assert.deepEqual(
      cited.filter((row) => !known.includes(row)),
      [],
    );
  });
});

describe('threats', () => {
  it('each name a test that exists', () => {
    const [, ...sections] = text(THREATS).split(/(?=<a id="threats\.)/);
    assert.ok(sections.length > 60);
    assert.equal(sections.length, threats.length);
    for (const section of sections) {
      const [, file = '', title = ''] =
        /^Test: \[([^\]]+\.test\.ts)\].*: `(.+)`$/m.exec(section) ?? [];
      assert.ok(existsSync(file), section);
      assert.ok(text(file).includes(title), `${file} has no test "${title}"`);
    }
  });

  it('each have a heading with its id', () => {
    for (const id of threats) {
      assert.ok(text(THREATS).includes(`<a id="${id}"></a>\n\n## ${id}\n`), id);
    }
    assert.ok(text('SECURITY.md').includes(`each of the ${threats.length} threats`));
  });
});

interface Link {
  readonly page: string;
  readonly target: string;
  readonly anchor: string;
}

/** Relative links of a page, outside of code, with the file that they lead to. */
function linksOf(page: string): readonly Link[] {
  const prose = text(page)
    .replace(/^```[^]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to]) => to ?? '')
    .filter((to) => !/^[a-z]+:/.test(to))
    .map((to) => {
      const [path = '', anchor = ''] = to.split('#');
      return { page, target: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

function fault({ page, target, anchor }: Link): readonly string[] {
  const place = anchor === '' ? target : `${target}#${anchor}`;
  if (!existsSync(target)) return [`${page} links to ${place}`];
  if (anchor === '' || statSync(target).isDirectory()) return [];
  const there = [...anchorsOf(text(target)), ...headingsOf(target)];
  return there.includes(anchor) ? [] : [`${page} links to ${place}`];
}

/** The anchors that GitHub gives to headings. */
function headingsOf(page: string): readonly string[] {
  return [...text(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}

/** A file with the lines of its comments put together, since a citation may be broken over two. */
function joined(path: string): string {
  return text(path).replace(/\n\s*(?:\*|\/\/|#)? ?/g, ' ');
}

interface Citation {
  readonly path: string;
  readonly id: string;
}

/** `choices tasks.leases, tasks.queue and ledger.seals`, and `threats.ssrf` by itself. */
function citedIn(path: string, source: string): readonly Citation[] {
  const whole = source.replace(/\n\s*(?:\*|\/\/|#)? ?/g, ' ');
  const id = '[a-z0-9-]+\\.[A-Za-z0-9-]+';
  const lists = whole.matchAll(
    new RegExp(`\\bchoices ((?:${id}(?:, and |, | and | to )?)+)`, 'gi'),
  );
  const named = [...lists].flatMap(([, list = '']) => list.match(new RegExp(id, 'g')) ?? []);
  const rows = whole.match(/\bthreats\.[a-z0-9-]+(?![a-z0-9-])(?!\.ts|[\w.]*\()/g) ?? [];
  return [...named, ...rows.filter((row) => row !== 'threats.md')].map((each) => ({
    path,
    id: each,
  }));
}

function repeated(ids: readonly string[]): readonly string[] {
  return ids.filter((each, index) => ids.indexOf(each) !== index);
}
