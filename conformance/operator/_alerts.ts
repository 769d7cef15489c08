import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The alerts of `deploy/prometheus/rules.yaml`, read against one page of metrics. */
interface Rule {
  readonly alert: string;
  readonly expr: string;
}

export const rules: readonly Rule[] = (
  parse(readFileSync('deploy/prometheus/rules.yaml', 'utf8')) as {
    groups: readonly { rules: readonly Rule[] }[];
  }
).groups.flatMap((group) => group.rules);

/**
 * Whether the condition of an alert holds on a page. It reads the part of PromQL that the rules of
 * one moment use; `for` is what promtool tests with deploy/prometheus/rules.test.yaml.
 */
export function fires(alert: string, page: string): boolean {
  const { expr } = rules.find((rule) => rule.alert === alert) ?? assert.fail(alert);
  const [, left = '', operator = '', right = ''] = /^(.+?) (==|>|<) (.+)$/.exec(expr) ?? [];
  const holds = {
    '==': (a: number, b: number) => a === b,
    '>': (a: number, b: number) => a > b,
    '<': (a: number, b: number) => a < b,
  }[operator];
  assert.ok(holds !== undefined, expr);
  const against = valuesOf(right, page);
  return valuesOf(left, page).some((a) => against.some((b) => holds(a, b)));
}

/** Whether the ratio of two rates is above its limit for what was counted between two pages. */
export function grewAbove(alert: string, before: string, after: string): boolean {
  const { expr } = rules.find((rule) => rule.alert === alert) ?? assert.fail(alert);
  const rates = /^sum\(rate\((.+)\[5m\]\)\) \/ sum\(rate\((.+)\[5m\]\)\) > (\S+)$/.exec(
    expr.trim(),
  );
  assert.ok(rates, expr);
  const [part = NaN, whole = NaN] = rates.slice(1, 3).map((selector) => {
    const [was, is] = [before, after].map((page) => samples(selector, page));
    const sum = (values: readonly number[] = []): number => values.reduce((a, b) => a + b, 0);
    return sum(is) - sum(was);
  });
  return part / whole > Number(rates[3]);
}

function valuesOf(text: string, page: string): readonly number[] {
  if (!Number.isNaN(Number(text))) return [Number(text)];
  const call = /^(min|max|abs)(?: by \(\w+\) | ?)\((.+)\)$/.exec(text);
  if (call === null) return samples(text, page);
  const inner = valuesOf(call[2] ?? '', page);
  if (call[1] === 'abs') return inner.map(Math.abs);
  return inner.length === 0 ? [] : [call[1] === 'min' ? Math.min(...inner) : Math.max(...inner)];
}

/** Prometheus adds `job` and `instance` itself. */
const ADDED = ['job', 'instance'];

function samples(selector: string, page: string): readonly number[] {
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(selector) ?? assert.fail(selector);
  assert.ok(page.includes(`# TYPE ${name} `), `${name} is a metric`);
  const wanted = labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '' && !ADDED.includes(label.split('=')[0] ?? ''));
  const matches = (own: string, label: string): boolean => {
    const [, key = '', pattern] = /^(\w+)=~"(.*)"$/.exec(label) ?? [];
    if (pattern === undefined) return own.includes(label);
    return new RegExp(`(?:^|,)${key}="${pattern}"(?:,|$)`).test(own);
  };
  return page.split('\n').flatMap((line) => {
    const [, found, own = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (found !== name || !wanted.every((label) => matches(own, label))) return [];
    return [Number(value)];
  });
}

/** The commands between backticks in the section of an alert that begin with a word. */
export function commandsOf(section: string, word: string): readonly string[] {
  const [, text = ''] =
    readFileSync('docs/operate/runbook.md', 'utf8').split(new RegExp(`^## ${section}$`, 'm')) ?? [];
  const [own = ''] = text.split(/^## /m);
  return [...own.matchAll(/`([^`]+)`/g)].flatMap(([, command = '']) =>
    command.startsWith(`${word} `) ? [command] : [],
  );
}
