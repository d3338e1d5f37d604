import type { DetachedPrograms, LocalSandbox } from '@sandagent/sdk/internal'
import { findProgram, RUNNER } from '@sandagent/sdk/internal'

/** Detached programs, among them `sandagent`, even if it is not installed: the relay brings it along. */
export const withRunner = (
  { workdir, detached }: LocalSandbox,
  [program, ...before]: readonly [string, ...string[]],
): DetachedPrograms => ({
  ...detached,
  async start(command, args, options) {
    const { PATH: path = process.env.PATH } = options.env ?? {}
    const isMissing = command === RUNNER && !(await findProgram(RUNNER, { path, folder: workdir }))
    return isMissing
      ? detached.start(program, [...before, ...args], options)
      : detached.start(command, args, options)
  },
})
