import { join } from 'node:path'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, type LocalSandboxOptions } from '../../src/index.ts'

/** A sandbox in a folder of its own, removed after the test. Its programs are not isolated, unless a test wants that. */
export async function tempSandbox(options: Partial<LocalSandboxOptions> = {}): Promise<LocalSandbox> {
  return new LocalSandbox({
    workdir: join(await tempDir(), 'workdir'),
    isolation: 'none',
    onIsolation: () => {},
    ...options,
  })
}

export { FEATURES, LANGUAGE, picked } from '@sandagent/fixtures/questions.ts'
export {
  answerFile,
  answerFileText,
  ask,
  close,
  refusalOf,
  settle,
} from '@sandagent/fixtures/records/asked-questions.ts'
