import { invalid } from '@sandagent/core/internal'

/** @throws AskError `INVALID_REQUEST` if this is no sandbox */
export function checkSandbox(given: unknown): void {
  const { files, questions } = (given ?? {}) as Record<string, { read?: unknown } | null | undefined>
  if (typeof (questions ?? files)?.read === 'function') return
  throw invalid('INVALID_REQUEST', 'This is no sandbox', [
    { path: 'sandbox', expected: 'a sandbox, such as a LocalSandbox' },
  ])
}
