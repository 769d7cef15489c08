import type { JsonObject } from '../jsonObject.ts';
import type { SchemaNode } from './schemaNode.ts';
import { badRule, SCHEMA_EXPANSION_MAX, type RuleRefusal } from './rule.ts';

/**
 * Where `$ref` leads. Invariant: a reference reaches only a subschema that was walked, never text
 * that merely looks like one (an `enum` member, a default), and no value is judged in a circle.
 */
export function checkReferences(
  nodes: ReadonlyMap<string, SchemaNode>,
  base: string,
): { readonly targets: ReadonlyMap<JsonObject, unknown> } | RuleRefusal {
  const anchors = new Map<string, string>();
  for (const { anchor, pointer } of nodes.values()) {
    if (anchor === undefined) continue;
    if (anchors.has(anchor)) return badRule(`${base}${pointer}/$anchor`, 'is used twice');
    anchors.set(anchor, pointer);
  }
  const targets = new Map<JsonObject, unknown>();
  for (const node of nodes.values()) {
    if (node.ref === undefined) continue;
    const pointer = resolve(node.ref, anchors);
    const target = pointer === undefined ? undefined : nodes.get(pointer);
    if (target === undefined) {
      return badRule(`${base}${node.pointer}/$ref`, 'points at no schema in this document');
    }
    node.inPlace.push(target.pointer);
    targets.set(node.schema, target.written);
  }
  return checkExpansion(nodes, base) ?? { targets };
}

function resolve(ref: string, anchors: ReadonlyMap<string, string>): string | undefined {
  const fragment = decoded(ref.slice(1));
  if (fragment === undefined || fragment === '' || fragment.startsWith('/')) return fragment;
  return anchors.get(fragment);
}

/** Readers disagree whether %2F parts two steps or belongs to one, so it names nothing here. */
function decoded(fragment: string): string | undefined {
  if (/%2f/i.test(fragment)) return undefined;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** How many subschemas judge a value, once for each way to reach them; a circle has no count. */
function checkExpansion(
  nodes: ReadonlyMap<string, SchemaNode>,
  base: string,
): RuleRefusal | undefined {
  const costs = new Map<string, number | 'open'>();
  const cost = (pointer: string): number => {
    const known = costs.get(pointer);
    if (known !== undefined) return known === 'open' ? Infinity : known;
    costs.set(pointer, 'open');
    let total = 1;
    for (const inner of nodes.get(pointer)?.inPlace ?? []) total += cost(inner);
    costs.set(pointer, total);
    return total;
  };
  for (const pointer of nodes.keys()) {
    const total = cost(pointer);
    if (total === Infinity) {
      return badRule(base + pointer, 'judges itself again without stepping into a member');
    }
    if (total > SCHEMA_EXPANSION_MAX) {
      return badRule(base + pointer, `applies over ${SCHEMA_EXPANSION_MAX} schemas to one value`);
    }
  }
  return undefined;
}
