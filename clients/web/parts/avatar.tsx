/** A picture of an account that is made from its name alone, so that two accounts look different. */
const SIZE = 5;
const HALF = Math.ceil(SIZE / 2);

export function Avatar({ name }: { readonly name: string }) {
  const bits = hash(name);
  const cells = Array.from({ length: SIZE * HALF }, (_, place) => place).filter(
    (place) => ((bits >>> place) & 1) === 1,
  );
  const colour = `part${(bits >>> 20) % 4}`;
  return (
    <svg class="avatar" viewBox="-1 -1 7 7" aria-hidden="true">
      {cells.flatMap((place) => {
        const [x, y] = [place % HALF, Math.floor(place / HALF)];
        return [x, SIZE - 1 - x].map((column) => (
          <rect key={`${column} ${y}`} class={colour} x={column} y={y} width="1.02" height="1.02" />
        ));
      })}
    </svg>
  );
}

/** FNV-1a: it has to spread, and nothing is protected by it. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) {
    value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}
