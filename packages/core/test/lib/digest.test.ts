import { describe, expect, it, vi } from 'vitest'
import { canonicalJson, digestOf, sha256Hex } from '../../src/lib/digest.ts'

describe('canonicalJson', () => {
  it('orders the keys of every object, and leaves lists as they are', () => {
    expect(canonicalJson({ c: [{ z: 1, y: [2, 1] }, null], b: 'text', a: { d: true, B: 0 } })).toBe(
      '{"a":{"B":0,"d":true},"b":"text","c":[{"y":[2,1],"z":1},null]}',
    )
  })

  it('is the same for equal contents, whatever was entered first', () => {
    const keys = ['d', 'a', 'c', 'b', 'e']
    const forwards = Object.fromEntries(keys.map((key) => [key, 1]))
    const backwards = Object.fromEntries([...keys].reverse().map((key) => [key, 1]))
    expect(canonicalJson(forwards)).toBe(canonicalJson(backwards))
  })
})

describe('a digest', () => {
  it('is the SHA-256 of the text, in hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(digestOf('abc')).toBe(sha256Hex('"abc"'))
  })

  it('is the same without the hash of Node, whatever the text has', async () => {
    const { process } = globalThis
    vi.stubGlobal('process', { ...process, getBuiltinModule: undefined })
    vi.resetModules()
    const elsewhere = await import('../../src/lib/digest.ts')
    vi.unstubAllGlobals()
    for (const text of ['', 'abc', 'é ✓ 🙂', 'half a pair: \ud83d', 'x'.repeat(10_000)])
      expect(elsewhere.sha256Hex(text)).toBe(sha256Hex(text))
  })

  it('tells other values apart, and not the order of keys', () => {
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1 }))
    expect(digestOf({ a: 1, b: 2 })).not.toBe(digestOf({ a: 2, b: 1 }))
    expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]))
  })
})
