import type { RunnerChannel } from '@sandagent/core'

/** A channel that is still being made. Each call waits for it. */
export const loadingChannel = (loading: Promise<RunnerChannel>): RunnerChannel => ({
  open: async (...args) => (await loading).open(...args),
  recordOf: async (...args) => (await loading).recordOf(...args),
  read: async (...args) => (await loading).read(...args),
  subscribe(...args) {
    const answers = loading.then((channel) => channel.subscribe(...args))
    return {
      next: async () => (await answers).next(),
      close: () =>
        void answers.then(
          (subscription) => subscription.close(),
          () => {},
        ),
    }
  },
  close: async (...args) => (await loading).close(...args),
  leave: async (...args) => (await loading).leave(...args),
  fileAt: async (...args) => (await loading).fileAt?.(...args) ?? { missing: 'gone' },
  settle: async (...args) => (await loading).settle(...args),
})
