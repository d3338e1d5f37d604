// Imported lazily alone: bundlers split off only what nothing imports statically.
export { onFormKey } from './form-keys.ts'
