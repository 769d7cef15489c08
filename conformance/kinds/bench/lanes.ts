/** Runs `count` pieces of work, so many at once; each lane takes the next one. */
export async function inLanes(
  lanes: number,
  count: number,
  run: (n: number, lane: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (number: number): Promise<void> => {
    for (let n = next++; n < count; n = next++) await run(n, number);
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}
