import type { DetachedPrograms } from '../sandbox/detached-programs.ts'
import { findProgram } from '../sandbox/isolation/find-program.ts'
import type { LocalSandbox } from '../sandbox/local-sandbox.ts'

/** The name by which `startRun` calls the runner. */
const COMMAND = 'sandagent'

/** Detached programs, among them `sandagent`, even if it is not installed: the relay brings it along. */
export const withRunner = (
  { workdir, detached }: LocalSandbox,
  [program, ...before]: readonly [string, ...string[]],
): DetachedPrograms => ({
  ...detached,
  async start(command, args, options) {
    const { PATH: path = process.env.PATH } = options.env ?? {}
    const isMissing = command === COMMAND && !(await findProgram(COMMAND, { path, folder: workdir }))
    return isMissing
      ? detached.start(program, [...before, ...args], options)
      : detached.start(command, args, options)
  },
})
