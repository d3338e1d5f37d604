// Imported lazily alone: bundlers split off only what nothing imports statically.
export { lateHttpTransport } from './http-transport.ts'
export { linkPage } from './link-page.ts'
