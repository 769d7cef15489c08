import type { ParameterSpec } from '../../workflows/kernel/operation.ts';

const INTEGER = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * The value of a parameter that was sent as text, lowered to its cap. Numbers and booleans are
 * decoded only from their exact spelling; anything else stays text, and the validator refuses it.
 */
export function scalarIn(parameter: ParameterSpec, text: unknown): unknown {
  return clamped(parameter, scalar(parameter, text));
}

function scalar(parameter: ParameterSpec, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (parameter.type === 'integer' && INTEGER.test(text)) {
    const value = Number(text);
    // A value above its cap is lowered, however large, never refused (choices pipeline.caps).
    const isAboveCap = parameter.clamp !== undefined && value > parameter.clamp;
    return isAboveCap || Number.isSafeInteger(value) ? value : text;
  }
  if (parameter.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function clamped(parameter: ParameterSpec, value: unknown): unknown {
  const cap = parameter.clamp;
  return cap !== undefined && typeof value === 'number' && value > cap ? cap : value;
}
