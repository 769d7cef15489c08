import { useEffect, useState } from 'preact/hooks';

/** Whether amounts, times and accounts are shown exact; the choice outlives the visit. */
const KEPT = 'exact';
let isExact = localStorage.getItem(KEPT) !== null;
const listeners = new Set<(now: boolean) => void>();

export function useExact(): readonly [boolean, () => void] {
  const [now, setNow] = useState(isExact);
  useEffect(() => {
    setNow(isExact);
    listeners.add(setNow);
    return () => void listeners.delete(setNow);
  }, []);
  return [now, toggle];
}

function toggle(): void {
  isExact = !isExact;
  if (isExact) localStorage.setItem(KEPT, '1');
  else localStorage.removeItem(KEPT);
  for (const listener of listeners) listener(isExact);
}
