/**
 * Shows the events of a run, but for a form. An agent may go on writing while its question is on the screen, and does as soon
 * as it has the answer. Its text would tear the form apart. Writers do not wait: a run that ends with an open question must
 * end.
 */
export function holdOutput(show: (event: string) => Promise<void>) {
  let held: string[] | null = null
  return {
    async write(event: string): Promise<void> {
      if (held) held.push(event)
      else await show(event)
    },
    /** Holds back what is written, until the returned function is called. */
    hold(): () => Promise<void> {
      const events: string[] = []
      held = events
      return async () => {
        held = null
        // Where one fails, the next write does too.
        await Promise.allSettled(events.map(show))
      }
    },
  }
}
