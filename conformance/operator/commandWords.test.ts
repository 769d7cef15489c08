import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS, runCli } from '../../server/cli.ts';
import { service } from '../../generated/doors.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';

const ID = '00000000-0000-7000-8000-000000000001';
const FEED = 'https://registry.example/v0.1/servers';

/** Words with which each command would act, by command; the file names are in the test's folder. */
function usable(at: (name: string) => string, key: string) {
  return {
    start: [[]],
    doctor: [[]],
    bundle: [[at('bundle.json')], [at('bundle.json'), '--log', at('a.log')]],
    migrate: [[], ['--plan']],
    audit: [[], ['--json']],
    account: [[key]],
    explain: [[key], [key, '--log', at('a.log')]],
    freeze: [['a reason']],
    thaw: [[]],
    backup: [[at('backup')], ['--noted'], ['verify', at('backup')]],
    restore: [[at('backup')], [at('backup'), '--account', key, '--into', at('out')]],
    copy: [['--to', `sqlite:${at('copy.sqlite')}`]],
    archive: [
      [at('archive')],
      [at('archive'), '--until', '2026-11-01T00:00:00Z'],
      ['verify', at('archive')],
      ['prove', at('archive'), ID],
    ],
    board: [['add', at('task.json')], ['list']],
    plant: [['answer', ID, 'accepted'], ['draw', at('bank.json')], ['check']],
    feed: [['add', FEED], ['list'], ['run', FEED], ['remove', FEED]],
    reports: [[]],
    ban: [[key, 'a reason']],
    hide: [['task', ID, 'a reason']],
    decisions: [[]],
    lift: [[ID, 'an answer']],
    uphold: [[ID, 'an answer']],
    key: [['rotate'], ['bind', at('new.key'), '--key', at('old.key')]],
    host: [['--key', at('host.key'), '--endpoint', 'http://127.0.0.1:1/mcp']],
    sweep: [
      ['plan', at('plan.json')],
      ['sign', at('plan.json'), '--key', at('seed'), '--to', `0x${'1'.repeat(40)}`],
      ['submit', at('plan.json')],
    ],
    pulses: [[], ['withdraw', '0']],
    withdrawals: [[], ['release', ID], ['cancel', ID]],
    witness: [['--log', 'http://127.0.0.1:1', '--log-key', 'k', '--name', 'w', '--key', at('w')]],
    help: [[], ['freeze']],
    version: [[]],
  } as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;
}

describe('the words of hubctl', function suite() {
  this.timeout(120_000);
  let world: Fixture;
  let folder: string;
  let env: Readonly<Record<string, string>>;
  before(async () => {
    world = await openFixture();
    const { databaseUrl, dataDir } = world.hub.running.hub.settings;
    folder = join(dataDir, 'operator');
    mkdirSync(folder);
    writeFileSync(join(folder, 'task.json'), JSON.stringify({ title: 'a', description: 'b' }));
    env = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir };
  });
  after(() => world.close());

  const run = async (...words: readonly string[]) => {
    let text = '';
    const code = await runCli(words, env, (part) => (text += part));
    return { code, text };
  };
  /** Every row of the database, and every file that a command could write. */
  const state = async () => {
    const { store, settings } = world.hub.running.hub;
    const rows = await store.read(async ({ knex }) => {
      const tables = await knex('sqlite_schema').where({ type: 'table' }).select('name');
      const all: Record<string, unknown> = {};
      for (const { name } of tables as { name: string }[]) all[name] = await knex(name);
      return all;
    });
    const files = readdirSync(settings.dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith('hub.sqlite'))
      .map((name) => [name, contentOf(join(settings.dataDir, name))]);
    return { rows, files, here: readdirSync('.') };
  };
  const mustChangeNothing = async (work: () => Promise<void>): Promise<void> => {
    const before = await state();
    await work();
    assert.deepEqual(await state(), before);
  };
  const each = async (check: (name: string, words: readonly string[]) => Promise<void>) => {
    const known = usable((name) => join(folder, name), world.alice.account);
    assert.deepEqual(Object.keys(known), Object.keys(COMMANDS), 'the walk has every command');
    for (const [name, forms] of Object.entries(known)) {
      for (const words of forms) await check(name, words);
    }
  };

  it('show the help of every command for --help and -h anywhere, and do nothing', () =>
    mustChangeNothing(() =>
      each(async (name, words) => {
        for (const asked of ['--help', '-h']) {
          for (const all of [[asked], [...words, asked], [asked, ...words]]) {
            const { code, text } = await run(name, ...all);
            assert.deepEqual([code, text], [0, `${COMMANDS[name]?.help}\n`], all.join(' '));
          }
        }
        assert.equal((await run('help', name)).text, `${COMMANDS[name]?.help}\n`);
      }),
    ));

  it('are refused with an option that the command does not have, and nothing is done', () =>
    mustChangeNothing(() =>
      each(async (name, words) => {
        for (const typo of ['--hlep', '--force', '-x', '--dry-run=true']) {
          for (const all of [[typo], [...words, typo], [typo, ...words]]) {
            const { code, text } = await run(name, ...all);
            assert.equal(code, 2, `${name} ${all.join(' ')}: ${text}`);
            assert.match(text, /There is no option -/);
          }
        }
        assert.match((await run(name, ...words, '--hlep')).text, /Did you mean --help\?/);
      }),
    ));

  it('are refused when there are too many, and nothing is done', () =>
    mustChangeNothing(() =>
      each(async (name, words) => {
        for (const more of [
          ['one', 'two', 'three', 'four'],
          ['--', '--help', '-h', '-h', '-h'],
        ]) {
          const { code, text } = await run(name, ...words, ...more);
          assert.deepEqual(
            [code, text],
            [2, `${COMMANDS[name]?.help}\n`],
            `${name} ${more.join(' ')}`,
          );
        }
      }),
    ));

  it('are refused where an option is given twice or lacks its value, and nothing is done', () =>
    mustChangeNothing(async () => {
      for (const [words, why] of [
        [['archive', '--until'], /--until needs a value/],
        [['archive', 'a', '--until', '--help-me'], /--until needs a value/],
        [['sweep', 'plan', '--min'], /--min needs a value/],
        [['key', 'bind', 'new', '--key', 'a', '--key', 'b'], /--key is given twice/],
        [['audit', '--json=yes'], /--json takes no value/],
        [['audit', '--json', '--json'], /--json is given twice/],
      ] as const) {
        const { code, text } = await run(...words);
        assert.equal(code, 2);
        assert.match(text, why);
      }
    }));

  it('are taken behind "--" when they begin with a dash', async () => {
    assert.equal((await run('freeze', '--', '--help me')).code, 0);
    assert.equal((await run('thaw')).code, 0);
  });

  it('have the version of the contract for --version', async () => {
    for (const word of ['--version', 'version']) {
      assert.deepEqual(await run(word), { code: 0, text: `${service.version}\n` });
    }
  });
});

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'base64');
  } catch {
    return 'a folder';
  }
}
