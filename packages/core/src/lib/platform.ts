/**
 * The few platform names that Node, browsers and workers share, declared here so that core compiles without
 * the types of any of them. Where those types are present, the declarations merge with them.
 */
declare global {
  interface AbortSignal {
    readonly aborted: boolean
    // biome-ignore lint/suspicious/noExplicitAny: merges with the platform's own declaration, which says `any`
    readonly reason: any
    addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
    removeEventListener(type: 'abort', listener: () => void): void
  }
}

/** What every runtime has on its global object. */
export const platform = globalThis as unknown as {
  URL: new (address: string) => { protocol: string; host: string; href: string }
  setTimeout(callback: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  AbortController: new () => { readonly signal: AbortSignal; abort(reason?: unknown): void }
  AbortSignal: { any(signals: readonly AbortSignal[]): AbortSignal }
  atob(base64: string): string
  btoa(bytes: string): string
  /** Browsers have it on pages that they trust: with https, or on this machine. */
  crypto?: { subtle?: unknown }
  TextEncoder: new () => { encode(text: string): Uint8Array }
  TextDecoder: new () => { decode(bytes: Uint8Array | undefined, options: { stream: boolean }): string }
  /** Of Node and what is like it. */
  process?: {
    getBuiltinModule?(name: 'node:crypto'): { hash?(algorithm: 'sha256', text: string): string } | undefined
  }
}
