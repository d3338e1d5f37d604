import { defineAgent } from 'eve'
import { scripted } from '../model.ts'
export default defineAgent({ model: scripted(), modelContextWindowTokens: 64000 })
