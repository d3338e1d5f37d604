import { it } from 'vitest'
import { everyPickArrives } from '../support/browser/older-page-clicks.ts'

it(
  'every pick that a page of the document shows reaches the agent, for 1,000 random sequences of clicks',
  () => everyPickArrives(1000),
  900_000,
)
