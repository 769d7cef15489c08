import { mergeChoices } from './choices.ts';
import {
  eachOperation,
  jsonBody,
  parametersOf,
  type Document,
  type Operation,
} from './document.ts';

/** An operation that is called by another one's tool, with the arguments that distinguish it. */
export interface Through {
  readonly operation: Operation;
  readonly method: string;
  readonly by: readonly string[];
}

/**
 * Returns the further operations of a tool (`x-door.through`), the most specific first. Each has
 * required arguments that the tool's own operation does not know.
 */
export function throughTool(document: Document, tool: string): readonly Through[] {
  const all = eachOperation(document);
  const own = all.find(({ operation }) => operation['x-door']?.mcp === tool)?.operation;
  const known = own === undefined ? [] : inputNames(document, own).all;
  return all
    .filter(({ operation }) => operation['x-door']?.through === tool)
    .map(({ operation, method }) => {
      const by = inputNames(document, operation).required.filter((name) => !known.includes(name));
      if (own === undefined || by.length === 0) {
        throw new Error(`${operation.operationId}: no argument distinguishes it from ${tool}`);
      }
      return { operation, method, by };
    })
    .sort((a, b) => b.by.length - a.by.length);
}

interface InputNames {
  readonly all: readonly string[];
  readonly required: readonly string[];
}

function inputNames(document: Document, operation: Operation): InputNames {
  const given = parametersOf(document, operation).filter((each) => each.in !== 'header');
  const body = jsonBody(document, operation);
  const shape = body === undefined ? undefined : mergeChoices(document, body);
  const needed = given.filter((each) => each.required === true).map(({ name }) => name);
  return {
    all: [...given.map(({ name }) => name), ...Object.keys(shape?.properties ?? {})],
    required: [...needed, ...(shape?.required ?? [])],
  };
}
