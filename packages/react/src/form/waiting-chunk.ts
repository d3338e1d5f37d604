// Imported lazily alone: bundlers split off only what nothing imports statically.
export { callAttention } from '../notify/call-attention.ts'
export { onFormKey } from './form-keys.ts'
export { lateComponents } from './late-components.ts'
