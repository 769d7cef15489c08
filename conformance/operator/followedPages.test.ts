import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../clients/examples/freePort.ts';
import { follow, stepsOf, type Filled, type Reader } from '../discovery/_follow.ts';
import { listenForSleep, openDesk, type Desk } from '../discovery/_reader.ts';
import { realClock, type FakeClock } from '../harness/clock.ts';
import { openFixture, type Fixture } from '../harness/fixture.ts';
import { mustOk } from '../harness/must.ts';
import { until } from '../harness/waiting.ts';
import { walletPath } from '../wallet/_signed.ts';

/**
 * The operator's pages are followed beside a hub: every command of every sentence in its order,
 * each once a page. What a machine without root, systemd and containers cannot run is listed here
 * with the reason, and nothing else is left out.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'needs root': [
    'apt-get install chrony',
    'apt-get install postgresql nginx prometheus',
    'certbot --nginx',
    'chronyc tracking',
    'createdb hub --owner hub',
    'createuser hub --pwprompt',
    'nginx -t',
    'useradd --system --home-dir /var/lib/hub --shell /usr/sbin/nologin hub',
  ],
  'needs systemd': [
    'journalctl -u hub -o cat | hubctl explain ID --log -',
    'systemctl enable --now hub',
    'systemctl enable --now hub-backup.timer',
    'systemctl reload hub',
    'systemctl status hub',
    'systemctl status hub-backup.timer hub-backup.service',
    'systemd-run --pipe --wait --uid=hub -p EnvironmentFile=/etc/hub/hub.env -E HUB_DATA_DIR=/var/lib/hub hubctl doctor',
  ],
  'needs a container engine or a cluster of them': [
    'docker compose exec hub hubctl doctor',
    'docker compose ps',
    'docker compose up --detach --build',
    'helm install hub deploy/helm',
  ],
  // docs/testing.md has the day on which each of these ran.
  'is a script that runs by itself, or that one of them runs': [
    'npm ci && npm run pack:hub',
    'npm install ./hub.tgz --global --prefix=/usr/local',
    "pip install 'patroni[etcd3]'",
    'promtool check config /etc/prometheus/prometheus.yml',
    'npm run bench -- workers',
    'npm run cluster',
    'npm run cluster -- balancers',
    'npm run deploy:check',
    'npm run deploy:pitr',
    'npm run deploy:restore -- FROM TO 10',
    'npm run docs:build',
    'npm run log:go',
    'npm run proxy:nginx',
  ],
  // `conformance/rails/` has withdrawals that wait.
  'needs a chain': ['hubctl withdrawals release ID'],
  'is the name of a command, a line of a log or of a configuration': [
    'cannot be written',
    'http-request del-header Forwarded',
    'hubctl backup',
    'hubctl hide',
    'hubctl restore',
    'job failed',
    'kill -HUP',
    'no database',
    'no signing key',
    'npm ci',
    'option forwardfor',
    'timeout server 60s',
  ],
};
const PAGES = readdirSync('docs/operate').map((name) => `docs/operate/${name}`);
/** The one block that is followed here; pasted.test.ts has who runs each of the others. */
const START = 'HUB_BASE_URL=https://hub.example.org';
const FEED = 'https://registry.example.org/v0.1/servers';
const isLeftOut = (text: string): boolean => Object.values(LEFT_OUT).flat().includes(text);

interface Place {
  readonly world: Fixture;
  readonly reader: Reader;
}
interface Walk {
  /** The clock of the hub, in place of the real one. */
  readonly clock?: FakeClock;
  /** Brings about at this hub that which its operator reads the page for. */
  readonly before?: (place: Place) => Promise<void>;
  readonly filled?: (place: Place) => readonly Filled[];
  /** The page starts a hub of its own, which must serve. */
  readonly startsHub?: boolean;
}
const MONTHS_SECONDS = 90 * 86_400;
const REASON: Filled = [/\bREASON\b/, () => "'what you saw'"];
const keyOf = ({ world }: Place): Filled => [/\bKEY\b/, () => world.bob.keyId];

const WALKS: Readonly<Record<string, Walk>> = {
  'docs/operate/backup.md': {
    filled: (place) => [
      [/^hubctl backup FOLDER/, () => 'hubctl backup kept'],
      [/verify FOLDER/, () => 'verify kept'],
      [/^hubctl restore FOLDER --account/, () => 'hubctl restore kept --account'],
      keyOf(place),
      [/\bOUT\b/, () => 'taken-out'],
      // It needs an empty database and an empty folder.
      [/^hubctl restore FOLDER/, () => `${elsewhere('again')} hubctl restore kept`],
    ],
  },
  'docs/operate/install.md': {
    filled: () => [[/^openssl rand -hex 24$/, (output) => `${output && ''}${SECRETS}`]],
  },
  'docs/operate/moderation.md': {
    async before({ world, reader }) {
      const { keyId } = world.alice;
      const profile = { keyId, displayName: 'Rude', bio: 'an insult' };
      mustOk(await world.alice.post('/api/v1/passport', profile));
      await inShell(reader, `hubctl feed add ${FEED}`);
    },
    filled: (place) => [
      keyOf(place),
      [/KIND ID/, () => `passport ${place.world.alice.keyId}`],
      REASON,
      [/lift DECISION ANSWER/, (output) => `lift ${decisionOf(output, 0)} 'A mistake.'`],
      [/uphold DECISION ANSWER/, (output) => appealed(place, decisionOf(output, 1))],
      [/feed remove URL/, () => `feed remove ${FEED}`],
      [/0x…/, () => `0x${'1'.repeat(40)}`],
    ],
  },
  'docs/operate/monitoring.md': {
    filled: (place) => [keyOf(place), [/\bID\b/, () => place.world.bob.account]],
  },
  'docs/operate/personal-data.md': {
    before: ({ reader }) => inShell(reader, 'hub init'),
    filled: (place) => [keyOf(place), [/export FOLDER/, () => 'export own']],
  },
  'docs/operate/postgresql.md': {
    clock: monthsAgo(),
    before: ({ world }) => sealedPayment(world),
    filled: ({ world }) => [
      [/copy --to URL/, () => 'copy --to sqlite:copied.sqlite'],
      [/archive prove FOLDER TRANSFER/, async () => `archive prove blocks ${await paid(world)}`],
      [/\bFOLDER\b/, () => 'blocks'],
    ],
  },
  'docs/operate/runbook.md': {
    async before({ reader }) {
      await inShell(reader, 'hubctl freeze "a drill"');
      await inShell(reader, `hubctl feed add ${FEED}`);
    },
    filled: ({ world }) => [
      [/\bURL\b/, () => FEED],
      [/^hubctl pulses$/, () => aheadOf(world)],
      [/\bSEQ\b/, (output) => /withdraw (\d+)/.exec(output)?.[1] ?? ''],
    ],
  },
  'docs/operate/tls.md': { startsHub: true },
};

describe('the pages for operators, followed literally', function suite() {
  this.timeout(240_000);
  let desk: Desk;
  before(async () => {
    desk = await openDesk();
  });
  after(() => desk.close());

  for (const page of PAGES) {
    const followed = stepsOf(page, true).filter(isFollowed);
    if (followed.length === 0) continue;
    it(page, async () => {
      const { clock = realClock(), before: prepare, filled, startsHub } = WALKS[page] ?? {};
      const port = await freePort();
      const env = {
        HUB_PORT: `${port}`,
        HUB_BASE_URL: `http://127.0.0.1:${port}`,
        // The doctor counts whether a caller can claim another address.
        HUB_RATE_LIMITS: 'true',
      };
      const world = await openFixture({ clock, env, databaseUrl: 'sqlite::memory:' });
      const minutes = await listenForSleep(world);
      try {
        const { databaseUrl, dataDir } = world.hub.running.hub.settings;
        const given = await desk.readerOf(world, minutes);
        const own = { HUB_DATABASE_URL: databaseUrl, HUB_DATA_DIR: dataDir, HUB_LOG: 'fatal' };
        symlinkSync(resolve('deploy'), join(given.clone, 'deploy'));
        const second = await freePort();
        const replaced = {
          ...given.replaced,
          '/etc/hub': `${given.clone}/etc/hub`,
          '/etc/ssl': given.clone,
          'hubctl start': `${elsewhere('second')} HUB_PORT=${second} hubctl start`,
        };
        const reader = {
          ...given,
          env: { ...given.env, ...own, ...env },
          replaced,
          runsSentences: true,
        };
        const place = { world, reader };
        await prepare?.(place);
        const walk = { ...reader, ...(filled && { filled: filled(place) }) };
        const { done, end } = await follow([page], walk, (step) => !isFollowed(step));
        if (startsHub) {
          await until(async () => {
            const health = await fetch(`http://127.0.0.1:${second}/healthz`).catch(() => undefined);
            return health?.status === 200;
          });
        }
        end();
        assert.equal(done.length, new Set(followed.map(({ text }) => text)).size);
      } finally {
        minutes.close();
        await world.close();
      }
    });
  }

  it('leave out what is listed here, and nothing that is no longer there', () => {
    const sentences = PAGES.flatMap((page) => stepsOf(page, true)).filter(
      ({ isOfSentence }) => isOfSentence,
    );
    const left = new Set(sentences.map(({ text }) => text).filter(isLeftOut));
    const listed = Object.values(LEFT_OUT).flat();
    assert.deepEqual([...left].sort(), [...listed].sort());
    assert.equal(listed.length, 45);
  });
});

function isFollowed({ isOfSentence, text }: ReturnType<typeof stepsOf>[number]): boolean {
  return isOfSentence ? !isLeftOut(text) : text.startsWith(START);
}

const SECRETS = `mkdir secrets && for name in postgres-password admin-token grafana-password; do
  openssl rand -hex 24 > secrets/$name
done`;

function elsewhere(name: string): string {
  return `HUB_DATABASE_URL=sqlite:${name}.sqlite HUB_DATA_DIR=${name}`;
}

/** It waits without holding up this process, in which the hub answers. */
async function inShell({ clone, env }: Reader, line: string): Promise<void> {
  await promisify(execFile)('bash', ['-ec', line], { cwd: clone, env });
}

function decisionOf(output: string, place: number): string {
  return [...output.matchAll(/^decision (\S+) /gm)][place]?.[1] ?? '';
}

async function appealed({ world }: Place, decision: string): Promise<string> {
  const path = `/api/v1/me/decisions/${decision}/appeal`;
  mustOk(await world.alice.post(path, { text: 'It is a quotation.' }));
  return `uphold ${decision} 'It is an insult.'`;
}

async function paid({ alice, bob }: Fixture): Promise<string> {
  const body = { to: bob.account, amount: '7', idempotencyKey: 'shown' };
  return String(mustOk(await alice.post(`${walletPath(alice)}/pay`, body))['transferId']);
}

function monthsAgo(): FakeClock {
  const clock = realClock();
  clock.advance(-MONTHS_SECONDS);
  return clock;
}

/** A payment in a block of an earlier month, which a pulse has signed. */
async function sealedPayment(world: Fixture): Promise<void> {
  await world.fund(world.alice, '1000');
  await paid(world);
  for (let looks = 0; looks < 3; looks += 1) await world.hub.runJob('sealJournal');
  world.hub.clock.advance(60);
  await world.hub.runJob('pulse');
  await world.hub.runJob('sealJournal');
  world.hub.clock.advance(MONTHS_SECONDS - 60);
}

/** A process whose clock was ten minutes ahead signed pulses. */
async function aheadOf({ hub }: Fixture): Promise<string> {
  hub.clock.advance(600);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    hub.clock.advance(60);
    await hub.runJob('pulse');
  }
  return 'hubctl pulses';
}
