// Imported lazily alone: bundlers split off only what nothing imports statically.

export { linkPage } from './connect-page.ts'
export { lateHttpTransport } from './http-transport.ts'
