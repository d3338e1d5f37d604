// Imported lazily alone: bundlers split off only what nothing imports statically.
export { RenderedPreview } from './rendered-preview.tsx'
