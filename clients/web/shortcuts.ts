import { useEffect, useRef } from 'preact/hooks';

/** Whether a key is typed into a field, or belongs to the browser with another key held down. */
function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof Element && target.matches('input, textarea, select, [role=slider]');
  return isTyping || ctrlKey || metaKey || altKey;
}

/** Calls `act` at a key that is pressed anywhere on the page except in a field. */
export function useShortcut(keys: string, act: (key: string) => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, defaultPrevented } = event;
      if (key.length !== 1 || !keys.includes(key) || defaultPrevented || isTaken(event)) return;
      event.preventDefault();
      latest.current(key);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [keys]);
}
