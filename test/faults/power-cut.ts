import { expect } from 'vitest'
import { type SystemCall, tellingIn } from './system-call.ts'

/**
 * Fails unless what was written survives a power cut from the moment on in which the caller was told: each file is synced
 * before it gets its name, and the folder is synced after the last name.
 *
 * @param folder the end of its path
 */
export function expectSynced(calls: readonly SystemCall[], folder: string): void {
  const told = tellingIn(calls)?.began ?? Number.NaN
  const before = calls.filter(({ ended }) => ended < told)
  const named = before.filter(({ name }) => /^(?:link|rename)/.test(name))
  const written = before.filter(({ name, text }) => name === 'write' && text.includes('.tmp>'))
  const syncs = before.filter(({ name }) => name === 'fsync' || name === 'fdatasync')
  for (const { text, ended } of written) {
    const file = /<(.*)>/.exec(text.split(',')[0] ?? '')?.[1] ?? ''
    const sync = syncs.find((each) => each.text.includes(`<${file}>`) && each.began > ended)
    expect(sync?.ended, text).toBeLessThan(named[0]?.began ?? Number.NaN)
  }
  const lastNamed = Math.max(0, ...named.map(({ ended }) => ended))
  const folderSyncs = syncs.filter(({ text, began }) => text.includes(`${folder}>`) && began > lastNamed)
  expect(folderSyncs).not.toEqual([])
}
