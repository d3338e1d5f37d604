// Imported lazily alone: bundlers split off only what nothing imports statically.

export { linkPage } from './connect-page.ts'
export { lazyHttpTransport } from './http-transport.ts'
