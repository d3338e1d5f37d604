// A container that shares the workdir with this machine, under the same path.
import { LocalSandbox } from '@sandagent/sdk'

/**
 * @param {{ workdir: string, container: string }} options
 * @returns {import('@sandagent/sdk').RunSandbox}
 */
export function containerSandbox({ workdir, container }) {
  const local = new LocalSandbox({ workdir, isolation: 'none' })
  /** @type {(program: string, args: readonly string[], env?: object) => string[]} */
  const inContainer = (program, args, env = {}) => {
    const variables = Object.keys(env).flatMap((name) => ['-e', name])
    return ['exec', '-i', '-w', local.workdir, ...variables, container, program, ...args]
  }
  return {
    workdir: local.workdir,
    files: local.files,
    spawn: (program, args = [], options = {}) =>
      local.spawn('docker', inContainer(program, args, options.env), options),
    detached: {
      ...local.detached,
      start: (program, args, options) =>
        local.detached.start('docker', inContainer(program, args, options.env), options),
    },
  }
}
