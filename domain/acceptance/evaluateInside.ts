import { isObject, type JsonObject } from '../jsonObject.ts';
import { all, entries, has, inside, list, type Evaluate, type Maker } from './evaluateShared.ts';
import { atBound } from './refusal.ts';
import { fail, muted, shown, type Place, type Run } from './schemaRun.ts';

/** `prefixItems` and `items` of 2020-12; `items` and `additionalItems` of draft-07. */
export function ofItems(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const isListed = Array.isArray(schema['items']);
  const listed = has(schema, 'prefixItems') ? schema['prefixItems'] : isListed && schema['items'];
  const name = isListed ? 'additionalItems' : 'items';
  if (listed === false && !has(schema, name)) return undefined;
  const first = (listed === false ? [] : list(listed)).map((each) => maker.make(each));
  const rest = has(schema, name) ? schema[name] : undefined;
  const others = maker.make(rest ?? true);
  return (value, place, run, out) => {
    if (!Array.isArray(value)) return true;
    const values: readonly unknown[] = value;
    if (rest === false && values.length > first.length) {
      return fail(run, name, place, () => atBound('at most', first.length, 'item'), shown(value));
    }
    let holds = true;
    const count = rest === undefined ? Math.min(first.length, values.length) : values.length;
    for (let nth = 0; nth < count && (holds || run.isFull); nth += 1) {
      const judge = first[nth] ?? others;
      holds = judge(values[nth], inside(place, nth), run, undefined) && holds;
    }
    if (out !== undefined) out.itemsBefore = Math.max(out.itemsBefore, count);
    return holds;
  };
}

export function contains(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'contains')) return undefined;
  const inner = maker.make(schema['contains']);
  const least = has(schema, 'minContains') ? Number(schema['minContains']) : 1;
  const most = has(schema, 'maxContains') ? Number(schema['maxContains']) : Infinity;
  const says = (): string =>
    most === Infinity ? `at least ${least} fitting item(s)` : `${least} to ${most} fitting item(s)`;
  return (value, place, run, out) => {
    if (!Array.isArray(value)) return true;
    let found = 0;
    for (const [nth, item] of value.entries()) {
      if (!muted(run, () => inner(item, inside(place, nth), run, undefined))) continue;
      found += 1;
      out?.items.add(nth);
      if (out === undefined && (found > most || (found >= least && most === Infinity))) break;
    }
    const holds = found >= least && found <= most;
    return holds || fail(run, 'contains', place, says, shown(value));
  };
}

export function propertyNames(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'propertyNames')) return undefined;
  const inner = maker.make(schema['propertyNames']);
  return (value, place, run) =>
    !isObject(value) || Object.keys(value).every((name) => inner(name, place, run, undefined));
}

export function members(maker: Maker, schema: JsonObject): Evaluate | undefined {
  const named = new Map<string, Evaluate>();
  for (const [name, each] of entries(schema['properties'] ?? {})) {
    named.set(name, maker.make(each));
  }
  const patterns = entries(schema['patternProperties'] ?? {}).map(
    ([source, each]) => [maker.patternOf(source), maker.make(each)] as const,
  );
  const hasOthers = has(schema, 'additionalProperties');
  if (named.size === 0 && patterns.length === 0 && !hasOthers) return undefined;
  const others = schema['additionalProperties'];
  const other = maker.make(others ?? true);
  return (value, place, run, out) => {
    if (!isObject(value)) return true;
    let holds = true;
    for (const [name, member] of Object.entries(value)) {
      if (!holds && !run.isFull) return false;
      const fitting = patterns.flatMap(([pattern, each]) => (pattern.test(name) ? [each] : []));
      const own = named.get(name);
      const judges = own === undefined ? fitting : [own, ...fitting];
      if (judges.length === 0 && !hasOthers) continue;
      out?.members.add(name);
      const at = inside(place, name);
      if (judges.length > 0) holds = all(judges, member, at, run, undefined) && holds;
      else if (others === false) holds = strange(run, 'additionalProperties', at, member);
      else holds = other(member, at, run, undefined) && holds;
    }
    return holds;
  };
}

const strange = (run: Run, keyword: string, at: Place, member: unknown): false =>
  fail(run, keyword, at, () => 'no such member', shown(member));

export function unevaluatedItems(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'unevaluatedItems')) return undefined;
  const given = schema['unevaluatedItems'];
  const inner = maker.make(given);
  return (value, place, run, out) => {
    if (!Array.isArray(value) || out === undefined) return true;
    for (let nth = out.itemsBefore; nth < value.length; nth += 1) {
      if (out.items.has(nth)) continue;
      const at = inside(place, nth);
      const item: unknown = value[nth];
      if (given === false) {
        return fail(run, 'unevaluatedItems', at, () => 'no such item', shown(item));
      }
      if (!inner(item, at, run, undefined)) return false;
    }
    out.itemsBefore = value.length;
    return true;
  };
}

export function unevaluatedMembers(maker: Maker, schema: JsonObject): Evaluate | undefined {
  if (!has(schema, 'unevaluatedProperties')) return undefined;
  const given = schema['unevaluatedProperties'];
  const inner = maker.make(given);
  return (value, place, run, out) => {
    if (!isObject(value) || out === undefined || out.allMembers) return true;
    let holds = true;
    for (const [name, member] of Object.entries(value)) {
      if (out.members.has(name)) continue;
      const at = inside(place, name);
      holds =
        (given === false
          ? strange(run, 'unevaluatedProperties', at, member)
          : inner(member, at, run, undefined)) && holds;
      if (!holds && !run.isFull) return false;
    }
    out.allMembers = true;
    return holds;
  };
}
