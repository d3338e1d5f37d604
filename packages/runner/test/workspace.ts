import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AnswerFile,
  type AnswerSubscription,
  type ChannelWarning,
  encodeAnswers,
  fileNameOf,
  type HostChannel,
  parseQuestionRecord,
  type QuestionRecord,
  type Responses,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { onTestFinished } from 'vitest'
import { receiptsWritten } from '../src/ask/receipts.ts'

/** A folder with a runner's and a host's end over real files. */
export interface Workspace {
  workdir: string
  channel: RunnerChannel
  host: HostChannel
  channelWarnings: ChannelWarning[]
  /** The question file. */
  record(toolCallId: string): Promise<QuestionRecord>
  /** Stores an answer file as a host does: bound to the question that is recorded. */
  respond(toolCallId: string, responses: Responses, extra?: Partial<AnswerFile>): Promise<void>
}

/** Before the folder is removed, all receipts of the test are written. Otherwise they would be tried again for ever. */
export async function createWorkspace(): Promise<Workspace> {
  const workdir = await tempDir()
  onTestFinished(receiptsWritten)
  const channelWarnings: ChannelWarning[] = []
  const host = createFileHostChannel({ files: createLocalFiles(workdir) })
  return {
    workdir,
    channelWarnings,
    host,
    channel: createFileRunnerChannel({ workdir, onWarning: (warning) => channelWarnings.push(warning) }),
    async record(toolCallId) {
      const path = join(workdir, '.sandagent/questions', fileNameOf(toolCallId))
      return parseQuestionRecord(await readFile(path, 'utf8'), toolCallId)
    },
    async respond(toolCallId, responses, extra = {}) {
      const { record, answerFile } = await host.read(toolCallId)
      const revision = answerFile?.revision ?? 0
      await host.write(
        {
          questions: record?.questions ?? [],
          answers: encodeAnswers(record?.questions ?? [], responses),
          status: 'completed',
          timestamp: new Date().toISOString(),
          version: 1,
          toolCallId,
          ...(record && { nonce: record.nonce }),
          revision: revision + 1,
          responses,
          ...extra,
        },
        { expectedRevision: revision },
      )
    },
  }
}

export { picked, typed } from '@sandagent/fixtures/questions.ts'

/** The same channel, and a promise that resolves once its asker has taken a draft and waits for the next answer file. */
export function watched(channel: RunnerChannel): { channel: RunnerChannel; draftSeen: Promise<void> } {
  let onSeen = (): void => {}
  const draftSeen = new Promise<void>((resolve) => {
    onSeen = resolve
  })
  const subscribe: RunnerChannel['subscribe'] = (...args) => {
    const answers = channel.subscribe(...args)
    let found: AnswerFile | null = null
    return {
      async next() {
        if (found) onSeen()
        found = await answers.next()
        return found
      },
      close: () => answers.close(),
    }
  }
  return { channel: { ...channel, subscribe }, draftSeen }
}

/** A subscription that never tells of an answer. */
export function silentSubscription(): AnswerSubscription {
  let end = (_: null): void => {}
  const ended = new Promise<null>((resolve) => {
    end = resolve
  })
  return { next: () => ended, close: () => end(null) }
}
