import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { freePort } from '../../clients/examples/freePort.ts';
import { readSettings } from '../../server/boot/config.ts';
import { SECRETS } from '../../server/boot/secretFiles.ts';
import { PROGRAMS } from '../../tools/programs.mjs';
import { startHub, type TestHub } from '../harness/hub.ts';

const FILES = readdirSync('deploy', { recursive: true, encoding: 'utf8' })
  .map((name) => `deploy/${name}`)
  .filter((path) => /\.|file$/i.test(path.split('/').at(-1) ?? ''));
/** Metrics that Prometheus makes itself. */
const OWN_METRICS = ['up'];
const AGGREGATES = ['sum', 'min', 'max', 'by', 'le', 'topk'];
const FUNCTIONS = [...AGGREGATES, 'abs', 'rate', 'time', 'histogram_quantile'];
/** For who looks at what callers see, and for who runs the hub. */
const DASHBOARDS = ['users', 'operators'];

const read = (path: string): string => readFileSync(path, 'utf8');
const yaml = (path: string): unknown => parse(read(path));

interface Rule {
  readonly alert: string;
  readonly expr: string;
}
interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource: unknown;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets: readonly unknown[];
}
const rules = (
  yaml('deploy/prometheus/rules.yaml') as { groups: readonly { rules: readonly Rule[] }[] }
).groups.flatMap((group) => group.rules);

describe('deploy/', () => {
  let hub: TestHub;
  let metrics = '';
  before(async () => {
    const port = await freePort();
    hub = await startHub({ env: { HUB_METRICS_PORT: String(port) } });
    await fetch(`${hub.url}/api/v1`);
    metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  });
  after(() => hub.close());

  it('is YAML and JSON that can be read', () => {
    const parsed = FILES.filter((path) => /\.(ya?ml|json)$/.test(path)).filter(
      (path) => !path.startsWith('deploy/helm/templates/'),
    );
    assert.ok(parsed.length >= 9, parsed.join());
    for (const path of parsed) assert.ok(yaml(path), path);
  });

  it('names only settings that the hub has', () => {
    const known = new Set([
      ...settingNames(),
      ...SECRETS.map((name) => `${name}_FILE`),
      // The name of compose's own file `.env`.
      'HUB_DOMAIN',
    ]);
    const named = FILES.flatMap((path) => read(path).match(/\bHUB_[A-Z0-9_]+/g) ?? []);
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
    assert.ok(named.length > 20);
  });

  it('has settings that a hub takes, for the unit and for the chart', () => {
    const lines = read('deploy/systemd/hub.env').split('\n');
    const pairs = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s));
    assert.ok(readSettings(Object.fromEntries(pairs) as Record<string, string>).metricsPort);
    const { settings } = yaml('deploy/helm/values.yaml') as { settings: Record<string, string> };
    assert.ok(readSettings(settings).trustedProxies.has('10.1.2.3'));
  });

  it('gives a hub the time to drain and to end before it is killed', () => {
    const seconds = readSettings({}).drainMs / 1_000 + 10;
    for (const [path, grace] of [
      ['deploy/helm/templates/deployment.yaml', /terminationGracePeriodSeconds: (\d+)/],
      ['deploy/compose.yaml', /stop_grace_period: (\d+)s/],
      ['deploy/systemd/hub.service', /TimeoutStopSec=(\d+)/],
    ] as const) {
      assert.ok(Number(grace.exec(read(path))?.[1]) >= seconds, path);
    }
  });

  it('uses only metrics that a hub or Prometheus has, in rules and dashboards', () => {
    const known = new Set([
      ...[...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name),
      ...OWN_METRICS,
    ]);
    const expressions = [
      ...rules.map(({ expr }) => expr),
      ...DASHBOARDS.flatMap((name) => expressionsOf(dashboard(name))),
    ];
    assert.ok(expressions.length > 40);
    for (const expression of expressions) {
      const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, '');
      const names = (bare.match(/[a-z_][a-z0-9_]*/g) ?? []).filter(
        (name) => !FUNCTIONS.includes(name) && !/^e\d+$/.test(name),
      );
      assert.ok(names.length > 0, expression);
      for (const name of names) {
        assert.ok(known.has(name.replace(/_bucket$/, '')), `${name} in ${expression}`);
      }
    }
  });

  it('has two dashboards that Grafana takes: panels with an id, a place and a source of their own', () => {
    for (const name of DASHBOARDS) {
      const { uid, panels } = dashboard(name) as {
        readonly uid: string;
        readonly panels: readonly Panel[];
      };
      assert.match(uid, /^[a-z-]{1,40}$/);
      assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
      const taken = new Set<string>();
      for (const { title, datasource, gridPos, targets } of panels) {
        assert.deepEqual(datasource, { type: 'prometheus', uid: '${source}' }, title);
        assert.ok(gridPos.x + gridPos.w <= 24 && targets.length > 0, title);
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
            assert.ok(!taken.has(`${x} ${y}`), `${title} covers another panel`);
            taken.add(`${x} ${y}`);
          }
        }
      }
    }
  });

  it('asks paths that a hub answers, at the port that it listens on', async () => {
    const named = FILES.flatMap((path) => read(path).match(/\/(?:healthz|readyz)\b/g) ?? []);
    assert.ok(named.length >= 3);
    for (const path of new Set(named)) assert.equal((await fetch(hub.url + path)).status, 200);
    const { port } = readSettings({});
    assert.match(read('deploy/Dockerfile'), new RegExp(`EXPOSE ${port}\n`));
    assert.match(read('deploy/helm/templates/deployment.yaml'), new RegExp(`: ${port} `));
    assert.match(read('deploy/Caddyfile'), new RegExp(`hub:${port}\n`));
  });

  it('names only programs and files that exist', () => {
    const image = read('deploy/Dockerfile');
    const [, program = ''] = /\/opt\/hub\/dist\/(\S+)/.exec(image) ?? [];
    assert.ok(PROGRAMS.includes(program), program);
    const [, packer = ''] = /node (tools\/\S+)/.exec(image) ?? [];
    assert.ok(existsSync(packer), packer);
    const { services } = yaml('deploy/compose.yaml') as {
      services: Record<string, { volumes?: readonly string[] }>;
    };
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((volume) => volume.startsWith('./'));
    assert.ok(mounted.length >= 4);
    for (const each of mounted) assert.ok(existsSync(`deploy/${each.split(':')[0] ?? ''}`), each);
  });

  it('has a section of the runbook for each alert, and a test that it fires and that it is quiet', () => {
    const runbook = read('docs/operate/runbook.md');
    const titles = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, title]) => title);
    assert.deepEqual(titles.sort(), rules.map(({ alert }) => alert).sort());
    const { tests } = yaml('deploy/prometheus/rules.test.yaml') as { tests: readonly RuleTest[] };
    for (const { alert } of rules) {
      const own = tests.flatMap((test) =>
        test.alert_rule_test.filter(({ alertname }) => alertname === alert),
      );
      const fired = own.map((test) => test.exp_alerts.length > 0).sort();
      assert.deepEqual(fired, [false, true], alert);
    }
  });
});

/** The names that a setting may have, as the refusal of another one lists them. */
function settingNames(): readonly string[] {
  try {
    readSettings({ HUB_NO_SUCH_NAME: '' });
  } catch (error) {
    return (/known: (.+)$/.exec(String(error))?.[1] ?? '').split(', ');
  }
  throw new Error('an unknown setting was taken');
}

function dashboard(name: string): unknown {
  return JSON.parse(read(`deploy/grafana/${name}.json`));
}

function expressionsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'expr' && typeof inner === 'string' ? [inner] : expressionsOf(inner),
  );
}
