import type { Dialect } from '../dialect.ts'
import { formatResult, parseAnswer } from './answer.ts'
import { COGNIPEER_LIMITS, formatRequest, parseRequest } from './request.ts'
import { cognipeerTool } from './tool.ts'

/** Cognipeer, as a {@link Dialect}. */
export const dialect: Dialect = {
  name: 'Cognipeer',
  parseRequest,
  formatRequest,
  parseAnswer,
  formatResult,
  tool: cognipeerTool,
  limits: COGNIPEER_LIMITS,
  losses: [
    {
      of: 'question',
      what: 'default, bounds of numbers, `textFormat`, `recommended`',
      why: 'The tool has no such keys.',
    },
    { of: 'response', what: 'which optional question was skipped', why: 'A skipped question has no entry.' },
    { of: 'response', what: 'space around typed words', why: 'Cognipeer removes it.' },
  ],
}
