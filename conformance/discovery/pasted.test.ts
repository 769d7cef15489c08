import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readOptions } from '../kinds/kit/options.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { at, mustOk } from '../harness/must.ts';
import { blockOf, blocks } from './_pages.ts';
import { inFolder } from './_run.ts';

/**
 * Every block of code in every page, pasted as it stands against a hub of this process: here, or in
 * the file that the table names. Blocks that no test can paste are in one list, with the reason.
 */
const ADDRESS = 'http://127.0.0.1:4020';
const TS_README = 'clients/typescript/README.md';
const PACKED = 'clients/typescript/pack.test.ts';

/** Compares the samples with the programs that `npm run sdks` runs. */
const PITR = '../../tools/deploy/pitr.mjs';
const SDKS = '../../tools/sdks.test.ts';

/** Runs the commands of the page as they stand, for `npm run sdks`. */
const PRINTED = '../kinds/sdk/generators/printed.mjs';

/** Run by `npm run client:python`, which installs from a registry first. */
const PYTHON = '../kinds/sdk/python/readme.py';

/** Lines of a trace, whose members it compares. */
const TRACE = '../../db/batch/trace.test.ts';

/** Block, by page and first line, and who runs it. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'clients/python/README.md: pip install': PYTHON,
  'clients/python/README.md: from agent_exchange': PYTHON,
  'clients/python/README.md: from datetime': PYTHON,
  'clients/python/README.md: import json': PYTHON,
  'clients/python/README.md: import httpx': PYTHON,
  'clients/python/README.md: python -m agent_exchange': PYTHON,
  [`${TS_README}: npm install http`]: `../../${PACKED}`,
  [`${TS_README}: npx http`]: `../../${PACKED}`,
  'docs/batches.md: way: free  units: wallet.pay  remembered: nonces, idempotency': TRACE,
  'docs/batches.md: way: free  units: wallet.pay 2': TRACE,
  'docs/batches.md: way: free  units: wallet.pay  remembered: nonces, key_policies': TRACE,
  'docs/batches.md: units: wallet.pay  way: free': TRACE,
  'docs/batches.md: way: free  units: tasks.claimNext': TRACE,
  'docs/batches.md: way: in turn': TRACE,
  'docs/judges.md: curl -s': '../validators/page.test.ts',
  'docs/judges.md: [': '../validators/page.test.ts',
  'docs/karma.md: curl -s': '../passport/karmaFigures.test.ts',
  'docs/operate/tls.md: server {': '../kinds/proxies/nginx.ts',
  'docs/operate/backup.md: [global]': PITR,
  'docs/operate/backup.md: archive_mode': PITR,
  'docs/operate/backup.md: pgbackrest --stanza=hub stanza-create': PITR,
  'docs/operate/backup.md: pgbackrest --stanza=hub restore': PITR,
  'docs/operate/postgresql.md: synchronous_mode': '../kinds/cluster/patroni.ts',
  'docs/operate/scaling.md: upstream hub {': '../kinds/cluster/balancers.ts',
  'docs/operate/scaling.md: defaults': '../kinds/cluster/balancers.ts',
  'docs/operate/witness.md: curl': '../log/witness.test.ts',
  'docs/sdks.md: curl': PRINTED,
  'docs/sdks.md: openapi-typescript': PRINTED,
  'docs/sdks.md: openapi-ts ': PRINTED,
  'docs/sdks.md: export default': PRINTED,
  'docs/sdks.md: orval': PRINTED,
  'docs/sdks.md: openapi-python-client': PRINTED,
  'docs/sdks.md: openapi-generator-cli generate -i openapi.json -g python': PRINTED,
  'docs/sdks.md: go mod init': PRINTED,
  'docs/sdks.md: openapi-generator-cli generate -i openapi.json -g go': PRINTED,
  'docs/sdks.md: openapi-generator-cli generate -i openapi.json -g java': PRINTED,
  'docs/sdks.md: openapi-generator-cli generate -i openapi.json -g rust': PRINTED,
  'docs/sdks.md: const client = createClient': SDKS,
  'docs/sdks.md: client.setConfig': SDKS,
  'docs/sdks.md: export async function hubFetch': SDKS,
  'docs/sdks.md: // sign adds': SDKS,
  'docs/sdks.md: /** Returns': SDKS,
  'docs/sdks.md: /// Returns': SDKS,
  'docs/sdks.md: // libsodium': SDKS,
  'docs/sdks.md: def signed_headers': SDKS,
  'docs/sdks.md: def sign(': SDKS,
  'docs/sdks.md: class SigningClient': SDKS,
  'docs/sdks.md: editor := hub': SDKS,
  'docs/sdks.md: type signing struct': SDKS,
  'docs/sdks.md: OkHttpClient signing': SDKS,
  'docs/sdks.md: let plain': SDKS,
  'docs/operate/tls.md: HUB_BASE_URL=': '../operator/followedPages.test.ts',
};

/** Pages whose blocks one test runs all, in their order. */
const FOLLOWED = './followed.test.ts';
const RUN_AS_A_WHOLE: Readonly<Record<string, string>> = {
  // `npm run frameworks` installs what these need and runs them.
  'docs/frameworks.md': '../kinds/frameworks/run.mjs',
  // `npm ci` is left out there, with its reason.
  'README.md': FOLLOWED,
  'docs/tutorials/earn.md': FOLLOWED,
  'docs/tutorials/hire.md': FOLLOWED,
  'docs/tutorials/files.md': FOLLOWED,
  'docs/tutorials/terms.md': FOLLOWED,
  'docs/tutorials/prizes.md': FOLLOWED,
  'docs/tutorials/sell.md': FOLLOWED,
  'docs/tutorials/limit.md': FOLLOWED,
  'docs/tutorials/verify.md': FOLLOWED,
  'docs/sandbox.md': FOLLOWED,
  // The blocks in Python are those of `npm run doors:python`.
  'docs/mcp.md': FOLLOWED,
  'docs/a2a.md': FOLLOWED,
  'docs/webhooks.md': '../webhooks/docs.test.ts',
  'docs/first-change.md': '../../tools/firstChange.test.ts',
  // Its file of providers is read below.
  'docs/models.md': FOLLOWED,
};

/**
 * Blocks that are not run, with the reason. A block that is run or was removed must leave this
 * list.
 */
const NOT_RUN: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md: npm run dev': 'runs until it is stopped, and then all tests within a test',
  [`${TS_README}: import { createHub, generateKey, GiveBack, work }`]:
    'waits in the queue without end; it is compiled, and work.test.ts has the loop',
  'docs/search.md: commit ──trigger──▶': 'is a picture of tables and lists',
  'docs/search.md: ok    search': 'counts one database; check.test.ts compares such lines',
  'docs/publishing.md: permissions:': 'publishes to a registry',
  'docs/operate/tls.md: hub.example.org {': 'is for Caddy, which no package of a registry brings',
};

const HERE = [
  'conformance/kinds/kit/README.md: npx ./hub-conformance.tgz',
  'docs/conformance.md: jobs:',
  'docs/conformance.md: conformance:',
  'docs/models.md: providers:',
];

describe('every block of code in the pages', () => {
  it('is run by a test, or is in the list of what cannot be', () => {
    const listed = [...Object.keys(RUN_ELSEWHERE), ...Object.keys(NOT_RUN), ...HERE];
    const unlisted = blocks.filter(
      ({ page, isMarked, name }) =>
        !(page === TS_README && isMarked) &&
        !Object.hasOwn(RUN_AS_A_WHOLE, page) &&
        !listed.some((each) => name.startsWith(each)),
    );
    assert.deepEqual(
      unlisted.map(({ name }) => name),
      [],
    );
    for (const name of listed) assert.ok(!blockOf(name).isMarked, `${name} is run and explained`);
    assert.equal(new Set(listed).size, listed.length, 'each in one table');
  });

  it('is read from its page by who runs it', () => {
    for (const [name, file] of Object.entries(RUN_ELSEWHERE)) {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8');
      assert.ok(text.includes(blockOf(name).page), `${file} does not read ${name}`);
    }
    for (const [page, file] of Object.entries(RUN_AS_A_WHOLE)) {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8');
      assert.ok(text.includes(`'${page}'`), `${file} does not run ${page}`);
    }
    // The packed client compiles each of its page's examples, and runs those that are marked.
    assert.ok(existsSync(PACKED) && readFileSync(PACKED, 'utf8').includes(TS_README));
  });
});

describe('blocks of code, pasted', () => {
  let world: Fixture;
  before(async () => {
    world = await openFixture();
  });
  after(() => world.close());
  const pasted = (name: string): string => blockOf(name).text.replaceAll(ADDRESS, world.hub.url);

  it('docs/models.md: is a file of providers that a hub starts with', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'providers.yaml');
      writeFileSync(file, pasted('docs/models.md: providers:'));
      const env = { HUB_MODEL_UPSTREAMS: file, ACME_KEY: 'secret' };
      const other = await openFixture({ env });
      try {
        const { models } = mustOk(await other.anyone.get('/api/v1/models'));
        const ids = (models as readonly { readonly id: string }[]).map(({ id }) => id);
        assert.ok(ids.includes('acme/small'), ids.join());
      } finally {
        await other.close();
      }
    });
  });

  it('docs/conformance.md and its package: jobs whose words the program takes', () => {
    const github: unknown = parse(blockOf('docs/conformance.md: jobs:').text);
    const steps = at(github, 'jobs', 'conformance', 'steps') as readonly {
      readonly run?: string;
    }[];
    const gitlab: unknown = parse(blockOf('docs/conformance.md: conformance:').text);
    const script = at(gitlab, 'conformance', 'script') as readonly string[];
    const shell = blockOf('conformance/kinds/kit/README.md: npx').text.trim().split('\n');
    const commands = [...steps.flatMap(({ run: each }) => each ?? []), ...script, ...shell];
    const read = commands.map((command) => {
      const filled = command.replace(/\$\{\{[^}]*\}\}|"\$\w+"/, 'https://hub.example.org');
      const [npx, name, ...words] = filled.split(' ');
      assert.deepEqual([npx, name], ['npx', './hub-conformance.tgz']);
      return readOptions(words);
    });
    assert.ok(read.every((options) => typeof options === 'object' && options.url !== ''));
    assert.ok(read.length >= 5);
    const junit = at(gitlab, 'conformance', 'artifacts', 'reports', 'junit');
    const formats = read.flatMap((each) => (typeof each === 'object' ? each.reports : []));
    assert.ok(formats.some(({ format, path }) => format === 'junit' && path === junit));
  });
});
