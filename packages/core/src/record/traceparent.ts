import * as v from 'valibot'

/** The variable by which a parent process hands its trace context to a child, as OpenTelemetry names it. */
export const TRACEPARENT_VARIABLE = 'TRACEPARENT'

/** Version, trace id, span id and flags, as W3C Trace Context writes them. Ids of zeros alone are invalid. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The context of a trace: https://www.w3.org/TR/trace-context/#traceparent-header. It comes from other programs. */
export const traceparentSchema: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.regex(TRACEPARENT, 'a traceparent as in W3C Trace Context'),
)

/** The text if it is a valid `traceparent`. */
export const traceparentIn = (text: string | null | undefined): string | undefined =>
  text != null && TRACEPARENT.test(text) ? text : undefined
