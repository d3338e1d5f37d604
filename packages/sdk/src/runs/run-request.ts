import { filledText, parseWith } from '@sandagent/core/internal'
import * as v from 'valibot'
import { isRunId, RUN_ID_RULE } from '../run-records/run-paths.ts'

const texts = v.array(v.string())

const schema = v.object({
  agent: filledText,
  args: v.optional(texts),
  prompt: v.string(),
  runId: v.optional(v.pipe(v.string(), v.check(isRunId, RUN_ID_RULE))),
  runner: v.optional(v.pipe(texts, v.minLength(1, 'the name of a program'))),
  metadata: v.optional(v.record(v.string(), v.string())),
  owner: v.optional(filledText),
  continues: v.optional(texts),
  env: v.optional(v.record(v.string(), v.optional(v.string()))),
  passEnv: v.optional(texts),
  maxLogBytes: v.optional(v.pipe(v.number(), v.minValue(1, 'a number from 1 on'))),
})

/** Refuses values of wrong types before anything is started. @throws AskError `INVALID_REQUEST` with every fault. */
export function refuseWrongTypes(request: unknown): void {
  parseWith(schema, request, 'INVALID_REQUEST', 'This run cannot be started')
}
