/** RFC 3492, 6.2, with the parameters of IDNA; undefined when the text is no such code. */
const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700];
const [BIAS, FIRST] = [72, 0x80];
const POINT_MAX = 0x10ffff;

export function decodePunycode(code: string): string | undefined {
  const hyphen = code.lastIndexOf('-');
  const points = [...code.slice(0, Math.max(0, hyphen))].map((each) => each.charCodeAt(0));
  let [point, place, bias, at] = [FIRST, 0, BIAS, hyphen + 1];
  while (at < code.length) {
    const before = place;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = digitOf(code.charCodeAt(at));
      if (digit === undefined) return undefined;
      at += 1;
      place += digit * weight;
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const count = points.length + 1;
    bias = adapted(place - before, count, before === 0);
    point += Math.floor(place / count);
    if (point > POINT_MAX) return undefined;
    place %= count;
    points.splice(place, 0, point);
    place += 1;
  }
  return String.fromCodePoint(...points);
}

function adapted(given: number, count: number, isFirst: boolean): number {
  let delta = Math.floor(given / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / count);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE)
    delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}

function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined;
}
