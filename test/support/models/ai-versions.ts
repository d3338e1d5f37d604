import { createRequire } from 'node:module'
import * as ai5 from 'ai-5'
import { MockLanguageModelV2 } from 'ai-5/test'
import * as ai6 from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import * as ai7 from 'ai-7'
import { MockLanguageModelV4 } from 'ai-7/test'
import { vi } from 'vitest'

/** One version of the AI SDK with its mock of a model, by the types of the newest. */
export interface AiVersion {
  name: '5' | '6' | '7'
  ai: typeof ai7
  Model: typeof MockLanguageModelV4
  /** The last part of a model's stream. */
  finish(reason: 'tool-calls' | 'stop'): object
}

const NO_USAGE = { inputTokens: {}, outputTokens: {} }
const finish = (unified: string): object => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: NO_USAGE,
})

export const aiVersions = {
  '5': {
    name: '5',
    ai: ai5,
    Model: MockLanguageModelV2,
    finish: (finishReason: string) => ({ type: 'finish', finishReason, usage: {} }),
  },
  '6': { name: '6', ai: ai6, Model: MockLanguageModelV3, finish },
  '7': { name: '7', ai: ai7, Model: MockLanguageModelV4, finish },
} as unknown as Record<'5' | '6' | '7', AiVersion>

/** Loads the runner's tool beside a version of the AI SDK, as a project that has this version installed does. */
export async function toolBeside({ ai }: AiVersion): Promise<typeof import('@sandagent/runner/ai-sdk')> {
  const { resolve } = createRequire(new URL('../../../packages/runner/package.json', import.meta.url))
  vi.doMock(resolve('ai'), () => ai)
  vi.resetModules()
  return import('@sandagent/runner/ai-sdk')
}
