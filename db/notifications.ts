/** Those who hear rings; one that throws does not keep the others from hearing. */
export interface Notifications {
  publish(topic: string): void;
  listen(listener: (topic: string) => void): () => void;
}

export function openNotifications(report: (error: unknown) => void): Notifications {
  const listeners = new Set<(topic: string) => void>();
  return {
    publish(topic) {
      for (const listener of [...listeners]) {
        try {
          listener(topic);
        } catch (error) {
          report(error);
        }
      }
    },
    listen(listener) {
      // Wrapped, so that one function registered twice is heard and stopped twice.
      const own = (topic: string): void => listener(topic);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
