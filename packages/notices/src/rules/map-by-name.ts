import { filledText } from '@sandagent/core/internal'
import * as v from 'valibot'

/** A record schema leaves these keys out. Then nobody would have checked what stands below them. */
const TAKEN = ['__proto__', 'constructor', 'prototype']

/** The schema of a map whose keys are names that people chose, such as those of sinks. */
export const mapByName = <T>(
  entry: v.GenericSchema<unknown, T>,
): v.GenericSchema<unknown, Record<string, T>> =>
  v.pipe(
    v.unknown(),
    v.check(
      (map) => !TAKEN.some((name) => Object.hasOwn(Object(map), name)),
      `other names than ${TAKEN.join(', ')}`,
    ),
    v.record(filledText, entry),
  )
