import { execFileSync } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'

/** What the figures depend on, in a line. */
export function machine(): string {
  return `${availableParallelism()} cores, ${fileSystem()}, Node ${process.versions.node}, ${process.platform} ${process.arch}`
}

function fileSystem(): string {
  try {
    return (
      execFileSync('df', ['--output=fstype', tmpdir()], { encoding: 'utf8' }).split('\n')[1]?.trim() ?? ''
    )
  } catch {
    return 'an unknown file system'
  }
}
