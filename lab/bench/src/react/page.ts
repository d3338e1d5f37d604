import { JSDOM } from 'jsdom'

/** Runs `use` with the globals of a page, and takes them back. Modules that look for them have to be imported inside. */
export async function withPage<T>(use: (page: Document) => Promise<T>): Promise<T> {
  const { window } = new JSDOM('<!doctype html><main></main>', { url: 'http://localhost/' })
  const names = ['window', 'document', 'navigator', 'sessionStorage'] as const
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  for (const name of names)
    Object.defineProperty(globalThis, name, { value: window[name], configurable: true, writable: true })
  try {
    return await use(window.document)
  } finally {
    names.forEach((name, index) => {
      const descriptor = before[index]
      if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      else Reflect.deleteProperty(globalThis, name)
    })
    window.close()
  }
}
