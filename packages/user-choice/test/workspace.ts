import {
  type AnswerFile,
  encodeAnswers,
  type HostChannel,
  type QuestionRecord,
  type Responses,
  type RunnerChannel,
} from '@sandagent/core/internal'
import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { receiptsWritten } from '@sandagent/runner'
import { onTestFinished } from 'vitest'

export { picked } from '@sandagent/fixtures/questions.ts'

/** A folder with a runner's and a host's end over real files. */
export interface Workspace {
  channel: RunnerChannel
  host: HostChannel
  /** The question file. */
  record(toolCallId: string): Promise<QuestionRecord>
  /** Stores an answer file as a host does: bound to the question that is recorded. */
  respond(toolCallId: string, responses: Responses, extra?: Partial<AnswerFile>): Promise<void>
}

/** Before the folder is removed, all receipts of the test are written. Otherwise they would be tried again for ever. */
export async function createWorkspace(): Promise<Workspace> {
  const workdir = await tempDir()
  onTestFinished(receiptsWritten)
  const host = createFileHostChannel({ files: createLocalFiles(workdir) })
  const record = async (toolCallId: string): Promise<QuestionRecord> => {
    const found = await host.read(toolCallId)
    if (!found.record) throw new Error(`No question file of ${toolCallId}`)
    return found.record
  }
  return {
    host,
    channel: createFileRunnerChannel({ workdir }),
    record,
    async respond(toolCallId, responses, extra = {}) {
      const { questions, nonce } = await record(toolCallId)
      await host.write(
        {
          questions,
          answers: encodeAnswers(questions, responses),
          status: 'completed',
          timestamp: new Date().toISOString(),
          version: 1,
          toolCallId,
          nonce,
          revision: 1,
          responses,
          ...extra,
        },
        { expectedRevision: 0 },
      )
    },
  }
}
