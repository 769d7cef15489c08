export function larger<T extends Uint8Array | Uint32Array | Int32Array | Float64Array>(
  old: T,
  to: T,
): T {
  to.set(old);
  return to;
}
