import { AssertionError } from 'node:assert'
import assert from 'node:assert/strict'

/** How long a case waits for what must come, in milliseconds. */
const PATIENCE_MS = 50_000
const LOOK_EVERY_MS = 20

/** Looks again and again until `look` does not reject. Then it gives what `look` gave. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const isLast = Date.now() > end
    try {
      return await look()
    } catch (error) {
      if (isLast) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Fails when a promise does not settle. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new AssertionError({ message: `${what} does not end` }))
    // After a stall, what has arrived meanwhile comes first.
    timer = setTimeout(() => setImmediate(fail), PATIENCE_MS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Expects an `AskError` with this code. */
export const refuses = (code: string, promise: Promise<unknown>, what = ''): Promise<void> =>
  soon(
    promise.then(
      () => assert.fail(`${what} does not fail. It must fail with ${code}.`.trim()),
      (error: unknown) => {
        const { code: found } = (error ?? {}) as { code?: unknown }
        if (found !== code)
          throw new AssertionError({
            message: `${what} fails with ${String(found)}: ${error}. It must fail with ${code}.`.trim(),
          })
      },
    ),
    what,
  )

/** Expects the same text, without showing long ones. */
export function sameText(found: string | null, expected: string, what: string): void {
  if (Math.max(found?.length ?? 0, expected.length) < 1000) assert.equal(found, expected, what)
  assert.ok(found === expected, `${what}: another text of ${found?.length ?? 'no'} characters`)
}

/** Of several settled writes one must have succeeded, and all others must have failed with `CONFLICT`. Gives its number. */
export function onlyWinner(results: readonly PromiseSettledResult<unknown>[]): number {
  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []))
  assert.equal(winners.length, 1, `${winners.length} writers succeeded. Only one of them may.`)
  for (const result of results)
    if (result.status === 'rejected')
      assert.equal(result.reason?.code, 'CONFLICT', `A writer failed with: ${result.reason}`)
  return winners[0] as number
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))

/** Expects the same JSON. Keys that are undefined count as absent. */
export const same = (found: unknown, expected: unknown, what?: string): void =>
  assert.deepEqual(plain(found), plain(expected), what)

/** Expects the same JSON under the keys of `expected`. */
export const holds = (found: object | null | undefined, expected: object, what?: string): void =>
  same(
    Object.fromEntries(Object.keys(expected).map((key) => [key, (found as Record<string, unknown>)?.[key]])),
    expected,
    what,
  )
