import type { DetachedPrograms } from '../sandbox/detached-programs.ts'
import { RUNNER } from '../sandbox/installed-runner.ts'
import { findProgram } from '../sandbox/isolation/find-program.ts'
import type { LocalSandbox } from '../sandbox/local-sandbox.ts'

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
